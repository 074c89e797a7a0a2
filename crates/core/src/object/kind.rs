//! The kinds of ironflow's objects, and what Kubernetes and kubectl call them.

/// The kinds ironflow creates, in the order in which they are deleted and shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "they are Kubernetes' own names")]
pub enum Kind {
    Job,
    Pod,
    ConfigMap,
    PersistentVolumeClaim,
}

impl Kind {
    /// Every kind, in order.
    pub const ALL: [Self; 4] = [
        Self::Job,
        Self::Pod,
        Self::ConfigMap,
        Self::PersistentVolumeClaim,
    ];

    /// Kubernetes' name of the kind (`Job`).
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Job => "Job",
            Self::Pod => "Pod",
            Self::ConfigMap => "ConfigMap",
            Self::PersistentVolumeClaim => "PersistentVolumeClaim",
        }
    }

    /// Group and version (`batch/v1`).
    #[must_use]
    pub fn api_version(self) -> &'static str {
        match self {
            Self::Job => "batch/v1",
            Self::Pod | Self::ConfigMap | Self::PersistentVolumeClaim => "v1",
        }
    }

    /// Group of `api_version`; empty for the core group.
    #[must_use]
    pub fn api_group(self) -> &'static str {
        self.api_version()
            .split_once('/')
            .map_or("", |(group, _)| group)
    }

    /// The resource in a URL path (`jobs`).
    #[must_use]
    pub fn plural(self) -> &'static str {
        match self {
            Self::Job => "jobs",
            Self::Pod => "pods",
            Self::ConfigMap => "configmaps",
            Self::PersistentVolumeClaim => "persistentvolumeclaims",
        }
    }

    /// The word for one object (`job`).
    #[must_use]
    pub fn singular(self) -> &'static str {
        match self {
            Self::Job => "job",
            Self::Pod => "pod",
            Self::ConfigMap => "configmap",
            Self::PersistentVolumeClaim => "persistentvolumeclaim",
        }
    }

    /// kubectl's word before a name in a result line (`job.batch`).
    #[must_use]
    pub fn resource(self) -> &'static str {
        match self {
            Self::Job => "job.batch",
            Self::Pod | Self::ConfigMap | Self::PersistentVolumeClaim => self.singular(),
        }
    }

    /// ironflow's label selector for the kind, as upstream's reaper lists it.
    #[must_use]
    pub fn selector(self) -> &'static str {
        match self {
            Self::Job | Self::Pod => "app.kubernetes.io/managed-by=ironflow",
            Self::ConfigMap => {
                "app.kubernetes.io/managed-by=ironflow,app.kubernetes.io/component=prompt-data"
            }
            Self::PersistentVolumeClaim => {
                "app.kubernetes.io/managed-by=ironflow,app.kubernetes.io/component=environment"
            }
        }
    }
}
