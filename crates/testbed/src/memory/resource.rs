//! The kinds that the server keeps, and how Kubernetes names them.

/// A kind of object that the server keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Resource {
    /// `pods`
    Pods,
    /// `jobs.batch`
    Jobs,
    /// `configmaps`
    ConfigMaps,
    /// `persistentvolumeclaims`
    Claims,
    /// `namespaces`
    Namespaces,
}

impl Resource {
    const ALL: [Self; 5] = [
        Self::Pods,
        Self::Jobs,
        Self::ConfigMaps,
        Self::Claims,
        Self::Namespaces,
    ];

    /// The word in paths and messages, `pods`.
    #[must_use]
    pub const fn plural(self) -> &'static str {
        match self {
            Self::Pods => "pods",
            Self::Jobs => "jobs",
            Self::ConfigMaps => "configmaps",
            Self::Claims => "persistentvolumeclaims",
            Self::Namespaces => "namespaces",
        }
    }

    /// The word in an object's `kind`, `Pod`.
    #[must_use]
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Pods => "Pod",
            Self::Jobs => "Job",
            Self::ConfigMaps => "ConfigMap",
            Self::Claims => "PersistentVolumeClaim",
            Self::Namespaces => "Namespace",
        }
    }

    /// The API group, empty for the core group.
    #[must_use]
    pub const fn group(self) -> &'static str {
        match self {
            Self::Jobs => "batch",
            Self::Pods | Self::ConfigMaps | Self::Claims | Self::Namespaces => "",
        }
    }

    /// Group and version as an object states them.
    #[must_use]
    pub const fn api_version(self) -> &'static str {
        match self {
            Self::Jobs => "batch/v1",
            Self::Pods | Self::ConfigMaps | Self::Claims | Self::Namespaces => "v1",
        }
    }

    /// The kind that an object's `kind` states, if the server keeps it.
    #[must_use]
    pub fn of_kind(kind: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|resource| resource.kind() == kind)
    }

    pub(super) fn find(group: &str, plural: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|resource| resource.group() == group && resource.plural() == plural)
    }

    /// `jobs.batch`, Go's `GroupResource.String()`.
    pub(super) fn qualified(self) -> String {
        qualify(self.plural(), self.group())
    }

    /// `Job.batch`, which the checks of a deletion put in the place of the resource.
    pub(super) fn qualified_kind(self) -> String {
        qualify(self.kind(), self.group())
    }
}

/// `word.group`, or the word alone for the core group.
pub(super) fn qualify(word: &str, group: &str) -> String {
    if group.is_empty() {
        word.to_owned()
    } else {
        format!("{word}.{group}")
    }
}
