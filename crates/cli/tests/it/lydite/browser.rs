//! A headless Chromium, driven over its debugging pipe.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use super::Folder;
use super::nats::debian_tool;

/// One browser with one page.
pub(crate) struct Browser {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    session: Option<String>,
    next: u64,
}

impl Browser {
    /// Opens a page at `url`.
    pub(crate) fn open(folder: &Folder, url: &str) -> Browser {
        let program = debian_tool("chromium", "usr/lib/chromium/chromium");
        // The pipe is wanted at 3 and 4; a shell can put it there.
        let mut child = Command::new("/bin/sh")
            .args([
                "-c",
                "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>\"$HOME/chromium.log\"",
            ])
            .arg(program)
            .args([
                "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--no-first-run", "--disable-extensions", "--remote-debugging-pipe", "--lang=en",
            ])
            .arg(format!(
                "--user-data-dir={}",
                folder.path().join("profile").display()
            ))
            .env("HOME", folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a browser");
        let mut browser = Browser {
            input: child.stdin.take().expect("piped"),
            output: BufReader::new(child.stdout.take().expect("piped")),
            child,
            session: None,
            next: 0,
        };
        let target = browser.ask("Target.createTarget", json!({ "url": "about:blank" }));
        let target = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = browser.ask("Target.attachToTarget", target);
        browser.session = attached["sessionId"].as_str().map(str::to_string);
        browser.ask("Page.enable", json!({}));
        browser.ask("Page.navigate", json!({ "url": url }));
        browser.wait_for("Page.loadEventFired");
        browser
    }

    /// The value of an expression of the page.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let asked = json!({ "expression": expression, "returnByValue": true });
        let answer = self.ask("Runtime.evaluate", asked);
        assert!(
            answer.get("exceptionDetails").is_none(),
            "{expression}: {answer}"
        );
        answer["result"]["value"].clone()
    }

    /// The same as text.
    pub(crate) fn text(&mut self, expression: &str) -> String {
        let value = self.value(expression);
        let text = value.as_str().map(str::to_string);
        text.unwrap_or_else(|| panic!("{expression}: {value}"))
    }

    /// Does something that leads to another page.
    pub(crate) fn go(&mut self, expression: &str) {
        self.value(expression);
        self.wait_for("Page.loadEventFired");
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let mut message = json!({ "id": self.next, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let text = message.to_string() + "\0";
        self.input
            .write_all(text.as_bytes())
            .expect("the browser listens");
        loop {
            let message = self.message();
            if message["id"] == json!(self.next) {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].clone();
            }
        }
    }

    fn wait_for(&mut self, event: &str) {
        while self.message()["method"] != json!(event) {}
    }

    fn message(&mut self) -> Value {
        let mut bytes = Vec::new();
        self.output
            .read_until(0, &mut bytes)
            .expect("the browser talks");
        assert_eq!(bytes.pop(), Some(0), "the browser has ended");
        serde_json::from_slice(&bytes).expect("JSON")
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
