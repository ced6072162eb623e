//! A NATS server for a test: its own port and folder, ended with it.

use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use super::Folder;

/// A running server.
pub(crate) struct Nats {
    pub(crate) url: String,
    child: Child,
}

impl Nats {
    /// Starts one in `folder`; `more` is added to its configuration.
    pub(crate) fn start(folder: &Folder, more: &str) -> Nats {
        let port = TcpListener::bind("127.0.0.1:0")
            .and_then(|listener| listener.local_addr())
            .expect("a free port")
            .port();
        let store = folder.path().join("jetstream");
        let config = format!(
            "listen: \"127.0.0.1:{port}\"\njetstream {{ store_dir: \"{}\" }}\n{more}\n",
            store.display()
        );
        let config = folder.write("nats.conf", config);
        let log = fs::File::create(folder.path().join("nats.log")).expect("a log");
        let child = Command::new(debian_tool("nats-server", "usr/sbin/nats-server"))
            .arg("-c")
            .arg(config)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .expect("nats-server starts");
        Nats {
            url: format!("nats://127.0.0.1:{port}"),
            child,
        }
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The path of a program that Debian packages; got if it is not here.
pub(crate) fn debian_tool(package: &str, program: &str) -> PathBuf {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/debian-tool.sh");
    let output = Command::new(script)
        .args([package, program])
        .output()
        .expect("the script starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{package}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    PathBuf::from(text.trim())
}
