//! What the command line asks for.

const USAGE: &str = "\
Usage: cargo playground [--control-plane] [--shell] [-- ARGUMENTS OF THE PLUGIN…]

  --control-plane  a real API server with its controllers, instead of one in memory
  --shell          a shell in which `kubectl ironflow reap` works, instead of one run";

/// Which cluster.
#[derive(Clone, Copy, Default)]
pub(crate) enum Backend {
    #[default]
    Memory,
    ControlPlane,
}

impl Backend {
    /// Where the cluster is, as part of a sentence.
    pub(crate) fn place(self) -> &'static str {
        match self {
            Self::Memory => "in memory",
            Self::ControlPlane => "with a real API server",
        }
    }

    /// How to look around in this cluster.
    pub(crate) fn shell(self) -> &'static str {
        match self {
            Self::Memory => "cargo playground --shell",
            Self::ControlPlane => "cargo playground --control-plane --shell",
        }
    }

    /// What to try in the shell. The cluster in memory answers the plugin alone, which kubectl only starts.
    pub(crate) fn hint(self) -> &'static str {
        match self {
            Self::Memory => {
                "try `kubectl ironflow reap`, or `kubectl-ironflow-reap` without a kubectl"
            }
            Self::ControlPlane => "try `kubectl get pods` and `kubectl ironflow reap`",
        }
    }
}

/// What the command line asks for.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) backend: Backend,
    pub(crate) shell: bool,
    pub(crate) plugin_arguments: Vec<String>,
}

impl Options {
    /// Reads the arguments; the usage where they are none of ours.
    pub(crate) fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, &'static str> {
        let mut options = Self::default();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--control-plane" => options.backend = Backend::ControlPlane,
                "--shell" => options.shell = true,
                "--" => {
                    options.plugin_arguments.extend(arguments);
                    break;
                }
                _ => return Err(USAGE),
            }
        }
        if options.shell && !options.plugin_arguments.is_empty() {
            return Err(USAGE);
        }
        Ok(options)
    }
}
