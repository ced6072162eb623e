//! The pages, as a browser and as a program see them.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use crate::lydite::browser::Browser;
use crate::lydite::formulas::write_formulas;
use crate::lydite::script::{write_seeds, write_target};
use crate::lydite::target_file::TargetFile;
use crate::lydite::{Folder, zoo_targets};

/// A running server of pages.
pub(crate) struct Pages {
    pub(crate) child: Child,
    pub(crate) authority: String,
}

impl Pages {
    pub(crate) fn start(folder: &Folder, args: &[&str]) -> Pages {
        let mut command = folder.command(&[&["serve", "--listen", "127.0.0.1:0"], args].concat());
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let stdout = child.stdout.take().unwrap();
        BufReader::new(stdout).read_line(&mut line).unwrap();
        let authority = line.trim().strip_prefix("http://").unwrap();
        let authority = authority.trim_end_matches('/').to_string();
        Pages { child, authority }
    }

    /// Asks as a program does; gives the status and all of the answer.
    pub(crate) fn ask(&self, request: &str, headers: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.authority).unwrap();
        let host = match headers.contains("Host:") {
            true => String::new(),
            false => format!("Host: {}\r\n", self.authority),
        };
        let text = format!(
            "{request} HTTP/1.1\r\n{host}{headers}Connection: close\r\nContent-Length: {}\r\n\
             Content-Type: application/x-www-form-urlencoded\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(text.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        (answer[9..12].parse().unwrap(), answer)
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn hunted() -> Folder {
    let folder = Folder::new();
    write_formulas(&folder, 60);
    let zoo = zoo_targets();
    let args = [
        "hunt", "-t", "zoo-solver:all", "-t", "zoo-solver", "--seeds", "seeds", "--target-files",
        &zoo, "-o", "all/first", "-q",
    ];
    folder.run(&args).expect(10);
    folder
}

#[test]
fn a_reader_walks_from_the_campaigns_to_a_finding_and_marks_it() {
    let folder = hunted();
    let pages = Pages::start(&folder, &["all"]);
    let mut browser = Browser::open(&folder, &format!("http://{}/", pages.authority));
    browser.go("document.querySelector('a[href=\"/c/first\"]').click()");
    assert!(
        browser
            .text("document.body.innerText")
            .contains("Distinct findings over cases")
    );
    assert!(
        browser.value("getComputedStyle(document.querySelector('.tile')).borderRadius !== '0px'")
            == true
    );
    browser.go("document.querySelector('a[href$=\"/findings\"]').click()");
    let all = browser
        .value("document.querySelectorAll('td.kind').length")
        .as_u64()
        .unwrap();
    assert!(all >= 3, "{all}");
    browser.go("document.querySelector('[name=kind]').value = 'crash'; \
         document.querySelector('button').click()");
    let crashes = browser
        .value("document.querySelectorAll('td.kind').length")
        .as_u64()
        .unwrap();
    assert!(0 < crashes && crashes < all, "{crashes} of {all}");
    browser.go("document.querySelector('td a').click()");
    let id = browser.text("document.querySelector('article').id");
    let page = browser.text("document.body.innerText");
    for part in ["declare-const", "lydite replay", "zoo-solver@0.1.0:all"] {
        assert!(page.contains(part), "{part} is not in: {page}");
    }
    browser.go("document.querySelector('[name=status]').value = 'known'; \
         document.querySelector('[name=value]').value = 'upstream-12'; \
         document.querySelector('[name=note]').value = '<b>seen</b>'; \
         document.querySelector('button').click()");
    let page = browser.text("document.body.innerText");
    assert!(page.contains("known=upstream-12, <b>seen</b>"), "{page}");
    // The command line agrees.
    let findings = folder
        .run(&["findings", "all/first", "--json"])
        .json_lines();
    let marked = findings
        .iter()
        .find(|finding| finding["id"] == id.as_str())
        .unwrap();
    assert_eq!(marked["mark"]["status"], "known=upstream-12");
    let file = folder
        .path()
        .join(format!("all/first/findings/{id}/finding.json"));
    assert!(fs::read_to_string(file).unwrap().contains("upstream-12"));
    browser.go("document.querySelector('[name=status]').value = 'undo'; \
         document.querySelector('button').click()");
    assert!(
        !browser
            .text("document.body.innerText")
            .contains("upstream-12")
    );
}

/// Ends elements, begins scripts, steers terminals, turns the direction, and
/// is no text.
const HOSTILE: &[u8] =
    b"</pre></td></article><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">\
      \x1b[31mred\xe2\x80\xaeturned\xff\xfe&amp;";

#[test]
fn a_hostile_finding_shows_as_text() {
    let folder = Folder::new();
    let script = [
        b"#!/bin/sh\ncase $1 in --version) echo crier 1; exit;; esac\n\
          grep -q calm \"$1\" && { echo sat; exit; }\ncat <<'EOF' >&2\nBOOM "
            .as_slice(),
        HOSTILE,
        b"\nEOF\ncat \"$1\"; exit 134\n",
    ]
    .concat();
    folder.write_program("bin/crier", script);
    TargetFile::new("crier")
        .commands(&["crier"])
        .read("kind = \"verdicts\"\ncrash = ['BOOM (?P<site>[^\\n]*)']")
        .smoke("(echo calm)(check-sat)")
        .write(&folder, "crier.toml");
    folder.write(
        "seeds/a.smt2",
        [b"(assert |".as_slice(), HOSTILE, b"|)(check-sat)\n"].concat(),
    );
    let path = format!("{}:/usr/bin:/bin", folder.path().join("bin").display());
    let name = "out <b>&\"'";
    let ran = folder
        .command(&[
            "hunt",
            "-t",
            "crier",
            "--seeds",
            "seeds",
            "--target-files",
            "crier.toml",
            "-o",
            &format!("all/{name}"),
            "-q",
        ])
        .env("PATH", path)
        .status()
        .unwrap();
    assert_eq!(ran.code(), Some(10));
    let pages = Pages::start(&folder, &["all"]);
    let mut browser = Browser::open(&folder, &format!("http://{}/", pages.authority));
    for step in [
        "document.querySelector('td a').click()",
        "document.querySelector('.tile a').click()",
        "document.querySelector('td a').click()",
        "document.querySelector('[name=note]').value = \
         '</span><script>document.title=1</script>\\u202e'; \
         document.querySelector('button').click()",
    ] {
        browser.go(step);
        let title = browser.text("document.title");
        assert!(title.ends_with("· lydite"), "{title}");
        let foreign = browser.value("document.querySelectorAll('script, img, b b').length");
        assert_eq!(foreign, 0, "{step}");
        let text = browser.text("document.body.innerText");
        assert!(text.contains("out <b>&\"'"), "{text}");
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
    }
    let text = browser.text("document.querySelector('article').innerText");
    for part in [
        "</pre></td></article><script>document.title='owned'</script>",
        "␛[31mred⟨U+202E⟩turned\u{fffd}\u{fffd}&amp;",
        "</span><script>document.title=1</script>⟨U+202E⟩",
    ] {
        assert!(text.contains(part), "{part} is not in: {text}");
    }
    // The program and both outputs have it, each in its own element.
    let shown = "[...document.querySelectorAll('article pre')].filter(p => p.textContent.includes('owned')).length";
    assert_eq!(browser.value(shown), 3);
}

#[test]
fn only_our_own_pages_change_something_and_only_known_names_are_answered() {
    let folder = hunted();
    let pages = Pages::start(&folder, &["all"]);
    let (status, listed) = pages.ask("GET /api/campaigns/first/findings", "", "");
    assert_eq!(status, 200);
    let line = listed.lines().find(|line| line.starts_with('{')).unwrap();
    let finding: serde_json::Value = serde_json::from_str(line).unwrap();
    let own = folder
        .run(&["findings", "all/first", "--json"])
        .json_lines();
    assert_eq!(finding, own[0], "the same as the command line");
    assert!(listed.contains(&format!("x-total-count: {}", own.len())));
    let id = finding["id"].as_str().unwrap();
    let mark = format!("POST /api/campaigns/first/findings/{id}/mark");
    let origin = |origin: &str| format!("Origin: {origin}\r\n");
    let ours = origin(&format!("http://{}", pages.authority));
    for (request, headers, body, expected) in [
        (mark.as_str(), "", "status=reported", 403),
        (
            mark.as_str(),
            &origin("http://evil.example"),
            "status=reported",
            403,
        ),
        (mark.as_str(), &origin("null"), "status=reported", 403),
        (mark.as_str(), &ours, "status=nonsense", 400),
        (
            mark.as_str(),
            &ours,
            "status=duplicate-of&value=nobody",
            400,
        ),
        (mark.as_str(), &ours, "status=reported", 200),
        ("GET /", "Host: evil.example\r\n", "", 421),
        ("GET /c/second", "", "", 404),
        ("GET /c/..%2f..", "", "", 404),
        ("GET /c/first/findings/..%2f..%2fplan.json", "", "", 404),
        ("GET /c/first/findings?kind=boom", "", "", 400),
        ("GET /c/first/findings?page=99999999999", "", "", 200),
        ("PUT /c/first", &ours, "", 405),
    ] {
        let (status, text) = pages.ask(request, headers, body);
        assert_eq!(status, expected, "{request} {headers} {body}: {text}");
        assert!(
            text.contains("content-security-policy: default-src 'none'"),
            "{text}"
        );
    }
    let (_, text) = pages.ask("GET /api/campaigns/first", "", "");
    assert!(text.contains("\"cases\":60"), "{text}");
}

#[test]
fn elsewhere_than_on_this_machine_a_token_is_needed() {
    let folder = hunted();
    let bare = ["serve", "all", "--listen", "0.0.0.0:0"];
    folder.run(&bare).expect(2).says(&["LYDITE_TOKEN"]);
    let short = ["serve", "all", "--token", "short"];
    folder.run(&short).expect(2).says(&["at least 16"]);
    let token = "a token that is long enough";
    let pages = Pages::start(&folder, &["all", "--token", token]);
    let bearer = format!("Authorization: Bearer {token}\r\n");
    for (headers, expected) in [
        ("", 401),
        ("Authorization: Bearer x\r\n", 401),
        (&bearer, 200),
    ] {
        let (status, text) = pages.ask("GET /api/campaigns", headers, "");
        assert_eq!(status, expected);
        assert_eq!(text.contains("zoo-solver"), expected == 200);
    }
    // A program that knows the token is no page.
    let findings = pages
        .ask("GET /api/campaigns/first/findings", &bearer, "")
        .1;
    let line = findings.lines().find(|line| line.starts_with('{')).unwrap();
    let finding: serde_json::Value = serde_json::from_str(line).unwrap();
    let mark = format!(
        "POST /api/campaigns/first/findings/{}/mark",
        finding["id"].as_str().unwrap()
    );
    assert_eq!(pages.ask(&mark, &bearer, "status=reported").0, 200);
    let mut browser = Browser::open(&folder, &format!("http://{}/", pages.authority));
    assert!(!browser.text("document.body.innerText").contains("first"));
    browser.go(&format!(
        "document.querySelector('[name=token]').value = '{token}'; \
         document.querySelector('button').click()"
    ));
    assert!(browser.text("document.body.innerText").contains("first"));
    assert_eq!(browser.text("document.cookie"), "");
}

#[test]
fn a_finding_is_reduced_and_bisected_from_its_page_where_that_is_offered() {
    let folder = Folder::new();
    write_target(
        &folder,
        "faulty",
        "grep -q BOOM \"$1\" && kill -SEGV $$\necho sat",
    );
    write_seeds(&folder, &["BOOM"]);
    let hunt = [
        "hunt", "-t", "faulty", "--seeds", "seeds", "--target-files", "targets", "-o", "out", "-q",
    ];
    folder.run(&hunt).expect(10);
    let listed = folder.run(&["findings", "out", "--json"]).json_lines();
    let id = listed[0]["id"].as_str().unwrap();
    let place = format!("/api/campaigns/out/findings/{id}/work");
    let ours = |pages: &Pages| format!("Origin: http://{}\r\n", pages.authority);
    let plain = Pages::start(&folder, &["out"]);
    let reduce = format!("POST {place}/reduce");
    let (status, text) = plain.ask(&reduce, &ours(&plain), "");
    assert_eq!(status, 403, "{text}");
    let page = format!("GET /c/out/findings/{id}");
    assert!(!plain.ask(&page, "", "").1.contains("work/reduce"));
    let pages = Pages::start(&folder, &["out", "--work", "--target-files", "targets"]);
    let shown = pages.ask(&page, "", "").1;
    for what in ["work/reduce", "work/bisect"] {
        assert!(shown.contains(what), "{shown}");
    }
    for (request, headers, body, expected) in [
        (reduce.clone(), String::new(), "", 403),
        (
            reduce.clone(),
            "Origin: http://evil.example\r\n".to_string(),
            "",
            403,
        ),
        (reduce.clone(), ours(&pages), "for=never", 400),
        (format!("POST {place}/format"), ours(&pages), "", 404),
        (format!("GET {place}"), String::new(), "", 404),
    ] {
        let (status, text) = pages.ask(&request, &headers, body);
        assert_eq!(status, expected, "{request}: {text}");
    }
    for (what, words) in [
        ("reduce", "bytes"),
        ("bisect", "1 versions tried: since 1.0"),
    ] {
        let (status, text) = pages.ask(&format!("POST {place}/{what}"), &ours(&pages), "for=1m");
        assert_eq!(status, 200, "{text}");
        // The request ends before the work does.
        let done = loop {
            let (_, text) = pages.ask(&format!("GET {place}"), "", "");
            if !text.contains("\"running\"") {
                break text;
            }
        };
        assert!(done.contains("\"done\"") && done.contains(words), "{done}");
    }
    let after = folder.run(&["findings", "out", "--json"]).json_lines();
    assert!(after[0]["reduced_bytes"].as_u64() < listed[0]["bytes"].as_u64());
    assert_eq!(after[0]["since"], "1.0 or earlier");
    assert!(pages.ask(&page, "", "").1.contains("bisect, done"));
    // Somebody else is at work: the page says who.
    let lock = fs::OpenOptions::new()
        .write(true)
        .open(folder.path().join("out/lock"))
        .unwrap();
    lock.try_lock().unwrap();
    pages.ask(&reduce, &ours(&pages), "");
    let failed = loop {
        let (_, text) = pages.ask(&format!("GET {place}"), "", "");
        if !text.contains("\"running\"") {
            break text;
        }
    };
    assert!(failed.contains("another lydite is at work"), "{failed}");
}
