//! Code is made shorter once it is whole: what comes up most becomes one instruction.
//!
//! Nothing moves. An instruction that does the work of several stands in the place of the
//! first one and goes on behind the last; the others stay for those who jump to them. So
//! places of functions, rules and jumps stay true, and so do the places of mistakes. Values
//! and the steps that are counted are the same with and without.

use super::code::{Code, Constant, Op};

/// Fuses all code.
pub(crate) fn fuse(code: &mut Code) {
    skip_known_tests(code);
    thread(code);
    skip_known_branches(code);
    let plain = code.ops.clone();
    for (at, op) in code.ops.iter_mut().enumerate() {
        let known = known_branch(&code.constants, &plain[at..]);
        if let Some(fused) = known.map(Op::Jump).or_else(|| fused(&plain[at..])) {
            *op = fused;
        }
    }
}

/// A switch by the tag of a local leads behind the test for that tag.
fn skip_known_tests(code: &mut Code) {
    for at in 1..code.ops.len() {
        let (Op::Local(local), Op::Switch(table)) = (code.ops[at - 1], code.ops[at]) else {
            continue;
        };
        let (first, targets) = &mut code.tables[table as usize];
        for (tag, target) in (*first..).zip(targets) {
            if let [Op::Local(tested), Op::HasTag(wanted), Op::JumpUnless(_), ..] =
                code.ops[*target as usize..]
                && (tested, wanted) == (local, tag)
            {
                *target += 3;
            }
        }
    }
}

/// A switch whose arm is a truth leads where that truth leads.
fn skip_known_branches(code: &mut Code) {
    for target in code.tables.iter_mut().flat_map(|(_, targets)| targets) {
        if let Some(to) = known_branch(&code.constants, &code.ops[*target as usize..]) {
            *target = to;
        }
    }
}

/// Where a branch on a truth that is known leads.
fn known_branch(constants: &[Constant], ops: &[Op]) -> Option<u32> {
    let (Op::Const(truth), Op::Branch { yes, no }) = (ops.first()?, ops.get(1)?) else {
        return None;
    };
    let truth = constants[*truth as usize] == Constant::Bool(true);
    Some(if truth { *yes } else { *no })
}

/// Jumps lead where they lead in the end. From the last instruction to the first: most
/// jumps lead on.
fn thread(code: &mut Code) {
    for at in (0..code.ops.len()).rev() {
        code.ops[at] = match code.ops[at] {
            // A return drops what is below its value, too.
            Op::Slide(_) if code.ops.get(at + 1) == Some(&Op::Return) => Op::Return,
            Op::Jump(to) => match code.ops[to as usize..] {
                [Op::Return, ..] => Op::Return,
                [Op::Jump(on), ..] => Op::Jump(on),
                [Op::Branch { yes, no }, ..] => Op::Branch { yes, no },
                [Op::JumpUnless(no), ..] => Op::Branch { yes: to + 1, no },
                [Op::Not, Op::JumpUnless(yes), ..] => Op::Branch { yes, no: to + 2 },
                _ => Op::Jump(to),
            },
            Op::JumpUnless(to) => match code.ops[to as usize..] {
                [Op::Const(truth), Op::JumpUnless(no), ..] => match is_true(code, truth) {
                    true => Op::JumpUnless(to + 2),
                    false => Op::JumpUnless(no),
                },
                [Op::Const(truth), Op::Branch { yes, no }, ..] => match is_true(code, truth) {
                    true => Op::JumpUnless(yes),
                    false => Op::JumpUnless(no),
                },
                [Op::Const(truth), Op::Not, Op::JumpUnless(no), ..] => match is_true(code, truth) {
                    true => Op::JumpUnless(no),
                    false => Op::JumpUnless(to + 3),
                },
                _ => Op::JumpUnless(to),
            },
            other => other,
        };
    }
}

fn is_true(code: &Code, constant: u32) -> bool {
    code.constants[constant as usize] == Constant::Bool(true)
}

/// What does the work of the first instructions.
fn fused(ops: &[Op]) -> Option<Op> {
    Some(match *ops {
        [Op::Local(local), Op::Field(field), ..] => Op::LocalField { local, field },
        [Op::Local(local), Op::Switch(table), ..] => Op::SwitchOn { local, table },
        [Op::Local(local), Op::HasTag(tag), Op::JumpUnless(to), ..] => Op::UnlessTag {
            local: u16::try_from(local).ok()?,
            tag,
            to,
        },
        [Op::Local(local), Op::Return, ..] => Op::ReturnLocal(local),
        // The second one may be the first of a longer one.
        [Op::Local(first), Op::Local(second), ref rest @ ..]
            if !matches!(
                rest,
                [
                    Op::Field(_) | Op::Switch(_) | Op::HasTag(_) | Op::Return,
                    ..
                ]
            ) =>
        {
            Op::Locals(first, second)
        }
        [Op::Const(constant), Op::Return, ..] => Op::ReturnConst(constant),
        [Op::Const(constant), Op::Equal, Op::JumpUnless(to), ..] => {
            Op::UnlessConst { constant, to }
        }
        [Op::Reset(local), Op::Jump(to), ..] => Op::Again { local, to },
        [Op::Not, Op::JumpUnless(to), ..] => Op::JumpIf(to),
        _ => return None,
    })
}
