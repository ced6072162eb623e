//! Databases: what they say of scripts of every kind, and of many scripts in one process.

use std::time::Duration;

use lydite_core::{Answer, Claim, Observation, Program, Role};
use lydite_process::Scratch;
use lydite_target::RunLimits;

use super::{PLENTY, SOON, assert_seen, kinds, observe, ready};

#[test]
fn databases_are_classified() {
    let script = "create table t(a int, b text);\ninsert into t values (1, 'x'), (2, null);\n\
                  select a * 1.5, b, a = 1 from t order by a;\n";
    let sqlite_eats = "create table t(a);\nwith recursive c(x) as (select 1 union all select x + 1 \
                       from c) insert into t select hex(zeroblob(100000)) from c;\n";
    let duckdb_eats = "create table t as select range a, repeat('x', 1000) || range s from \
                       range(1000000000);\n";
    for (name, loops, eats, memory_mb) in [
        (
            "sqlite",
            "with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c;\n",
            sqlite_eats,
            100,
        ),
        (
            "duckdb",
            "select count(*) from range(1000000000) a, range(1000000) b where (a.range * b.range) % 7 = 8;\n",
            duckdb_eats,
            400,
        ),
    ] {
        let target = ready(name);
        assert_seen(
            &target,
            script,
            "exit 0, output \"1.5|x|1\\n3.0|NULL|0\\n\"",
        );
        let wrong = Claim::Answers(Answer::Output {
            status: 0,
            text: b"1.5|x|1\n".to_vec().into(),
        });
        assert_eq!(kinds(&target, script, wrong), ["wrong-output"], "{name}");
        assert_seen(&target, "selec 1;\n", "rejected: ");
        assert_seen(&target, "select nope;\n", "rejected: ");
        let fails = "create table u(a int primary key);\ninsert into u values (1);\nselect a from u;\n\
                     insert into u values (1);\n";
        // What fails while it runs ends the script, like what is refused.
        assert_seen(&target, fails, "rejected: ");
        let deep = format!("select {}1{};\n", "(".repeat(5000), ")".repeat(5000));
        assert_seen(&target, &deep, "unsupported: ");
        let looped = observe(&target, loops, SOON, 2048);
        assert_eq!(
            looped.outcome.to_string(),
            "timed-out",
            "{name}: {looped:?}"
        );
        let eaten = observe(&target, eats, PLENTY, memory_mb);
        assert_eq!(
            eaten.outcome.to_string(),
            "out-of-memory",
            "{name}: {eaten:?}"
        );
    }
    assert_seen(
        &ready("duckdb:no-optimizer"),
        script,
        "exit 0, output \"1.5|x|1\\n",
    );
    assert_seen(
        &ready("sqlite:no-optimization"),
        script,
        "exit 0, output \"1.5|x|1\\n",
    );
}

/// What a script has made or left must not be there for the next one: a table, a transaction
/// in which something failed, what the schema of the script does not hold.
#[test]
fn databases_that_stay_answer_every_script_of_a_batch_afresh() {
    let leaving = [
        "create table t (a bigint); insert into t values (7); select a from t;",
        "begin; create table t (a bigint); select a from nothing;",
        "create temporary table t (a bigint); insert into t values (7);",
        "create database other;",
        "create schema s1; create table s1.t (a bigint not null, primary key (a)); \
         create table t (a bigint, foreign key (a) references s1.t (a));",
        "create schema s1; create table t (a bigint not null, primary key (a)); \
         create table s1.t (a bigint, foreign key (a) references test.t (a));",
    ];
    let asking = "create table t (a bigint); insert into t values (42); select a from t;";
    let scripts = leaving.map(|leaves| [leaves, asking, leaves, asking]);
    let programs = scripts
        .as_flattened()
        .iter()
        .map(|script| Program::single("case", script.as_bytes().to_vec()));
    let programs: Vec<Program> = programs.collect();
    let programs: Vec<&Program> = programs.iter().collect();
    let limits = RunLimits {
        wall: Duration::from_secs(120),
        ..RunLimits::default()
    };
    for name in [
        "duckdb", "mariadb", "mariadb:innodb", "pglite", "alasql", "chdb",
    ] {
        let target = ready(name);
        let scratch = Scratch::new().unwrap();
        let seen = target.observe_batch(&programs, Role::Tested, &limits, &scratch);
        let outcome = |seen: &Option<Observation>| seen.as_ref().map(|one| one.outcome.to_string());
        let seen: Vec<Option<String>> = seen.iter().map(outcome).collect();
        // A script that finds a process used up is run by itself.
        let said = |place: usize| seen[place].as_deref();
        let answers: Vec<&str> = (1..seen.len()).step_by(2).filter_map(said).collect();
        assert!(answers.len() >= 4, "{name}: {seen:?}");
        for answer in answers {
            assert_eq!(answer, "exit 0, output \"42\\n\"", "{name}: {seen:?}");
        }
        for first in (0..seen.len()).step_by(4) {
            if let (Some(once), Some(again)) = (said(first), said(first + 2)) {
                assert_eq!(once, again, "{name}: {}", scripts[first / 4][0]);
            }
        }
    }
}
