//! Transactions from the ABI: every contract is deployed, then functions are
//! called with values that a seed decides, those at the edges of types first
//! of all. The same contracts and seed, the same text.

use lydite_core::{Choices, Reject};
use revm::primitives::{I256, U256};

use crate::abi_type::{AbiType, type_names};
use crate::chain::ACCOUNTS;
use crate::compiled::{Compiled, Contract};

/// How long a derived array is at most.
const LENGTH: u64 = 3;

/// A fixed array that is longer than this is not filled.
const FIXED_LENGTH: usize = 64;

/// How long the text of arguments may get.
const ARGUMENT_BYTES: usize = 1 << 16;

/// How many choices a script may take.
const CHOICES: usize = 10_000_000;

/// A function that can be called.
struct Callable<'a> {
    contract: &'a Contract,
    /// With the types, where the name is not enough.
    name: String,
    types: &'a [AbiType],
    payable: bool,
}

/// Which transactions are derived.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Derivation {
    /// The seed of the random values.
    pub seed: u64,
    /// How many calls there are.
    pub count: usize,
    /// The contracts that are deployed and called; all, if there are none.
    pub only: Vec<String>,
    /// True if addresses may be those of contracts, and every function is called once before any is
    /// called again.
    pub thorough: bool,
}

/// Derives transactions, as the text of a script.
pub fn derive_transactions(compiled: &Compiled, derivation: &Derivation) -> String {
    let mut choices = Choices::seeded(derivation.seed, 0).with_limit(CHOICES);
    let mut text = String::new();
    // Out of choices, the script is as long as it got.
    let _ = write_script(compiled, derivation, &mut choices, &mut text);
    text
}

fn write_script(
    compiled: &Compiled,
    derivation: &Derivation,
    choices: &mut Choices,
    text: &mut String,
) -> Result<(), Reject> {
    let mut callable = Vec::new();
    let mut addresses: Vec<String> = (0..ACCOUNTS).map(|number| format!("@{number}")).collect();
    let wanted = |contract: &&Contract| {
        let only = &derivation.only;
        contract.is_deployable() && (only.is_empty() || only.contains(&contract.name))
    };
    for contract in compiled.contracts.iter().filter(wanted) {
        let constructor = contract.interface.constructor.as_ref();
        let types: &[AbiType] = constructor.map_or(&[], |constructor| &constructor.inputs);
        let payable = constructor.is_some_and(|constructor| constructor.payable);
        let Some(arguments) = arguments(types, &addresses, choices)? else {
            continue;
        };
        let ending = ending(payable, choices)?;
        *text += &format!("new {}{arguments}{ending}\n", contract.name);
        callable.extend(callables(contract));
        if derivation.thorough {
            addresses.push(format!("@{}", contract.name));
        }
    }
    let mut in_turn: Vec<usize> = Vec::new();
    for _ in 0..derivation.count {
        if callable.is_empty() {
            break;
        }
        let picked = match derivation.thorough {
            false => choices.index(callable.len())?,
            true => {
                if in_turn.is_empty() {
                    in_turn = (0..callable.len()).collect();
                    choices.shuffle(&mut in_turn)?;
                }
                in_turn.pop().unwrap_or_default()
            }
        };
        let Callable {
            contract,
            name,
            types,
            payable,
        } = &callable[picked];
        if let Some(arguments) = arguments(types, &addresses, choices)? {
            let ending = ending(*payable, choices)?;
            *text += &format!("{}.{name}{arguments}{ending}\n", contract.name);
        }
    }
    Ok(())
}

fn callables(contract: &Contract) -> Vec<Callable<'_>> {
    let mut callables = Vec::new();
    for overloads in contract.interface.functions.values() {
        for function in overloads {
            let types = &function.inputs;
            let name = match overloads.len() {
                1 => function.name.clone(),
                _ => format!("{}[{}]", function.name, type_names(types)),
            };
            callables.push(Callable {
                contract,
                name,
                types,
                payable: function.payable,
            });
        }
    }
    callables
}

fn ending(payable: bool, choices: &mut Choices) -> Result<String, Reject> {
    let mut ending = String::new();
    if payable && choices.chance(1, 2)? {
        ending += &format!(" value {}", choices.below(1000)?);
    }
    if choices.chance(1, 3)? {
        ending += &format!(" from {}", choices.index(ACCOUNTS)?);
    }
    Ok(ending)
}

/// `(1, true)`, or nothing if there is a type that is too large to be filled.
pub(crate) fn arguments(
    types: &[AbiType],
    addresses: &[String],
    choices: &mut Choices,
) -> Result<Option<String>, Reject> {
    let mut text = String::new();
    let filled = write_list(types.iter(), addresses, ['(', ')'], choices, &mut text)?;
    Ok(filled.then_some(text))
}

/// False if a value is too large. The depth is that of the types.
fn write_list<'a>(
    types: impl Iterator<Item = &'a AbiType>,
    addresses: &[String],
    [open, close]: [char; 2],
    choices: &mut Choices,
    text: &mut String,
) -> Result<bool, Reject> {
    text.push(open);
    for (number, of) in types.enumerate() {
        if number > 0 {
            text.push_str(", ");
        }
        if text.len() > ARGUMENT_BYTES || !write_value(of, addresses, choices, text)? {
            return Ok(false);
        }
    }
    text.push(close);
    Ok(true)
}

fn write_value(
    of: &AbiType,
    addresses: &[String],
    choices: &mut Choices,
    text: &mut String,
) -> Result<bool, Reject> {
    match of {
        AbiType::Bool => {
            *text += if choices.chance(1, 2)? {
                "true"
            } else {
                "false"
            }
        }
        AbiType::Uint(bits) => *text += &unsigned(*bits, choices)?.to_string(),
        AbiType::Int(bits) => *text += &signed(*bits, choices)?.to_string(),
        AbiType::FixedBytes(count) => write_bytes(*count, choices, text)?,
        AbiType::Function => write_bytes(24, choices, text)?,
        AbiType::Address => *text += choices.pick(addresses)?,
        AbiType::Bytes => {
            let count = choices.pick(&[0, 1, 4, 31, 32, 33, 70])?;
            write_bytes(*count, choices, text)?;
        }
        AbiType::String => {
            let count = *choices.pick(&[0, 1, 5, 31, 32, 33, 70])?;
            let letters = (0..count).map(|at| char::from(b'a' + (at % 26) as u8));
            *text += &format!("\"{}\"", letters.collect::<String>());
        }
        AbiType::Array(of) => {
            let count = choices.between(0, LENGTH)? as usize;
            let elements = std::iter::repeat_n(&**of, count);
            return write_list(elements, addresses, ['[', ']'], choices, text);
        }
        AbiType::FixedArray(_, count) if *count > FIXED_LENGTH => return Ok(false),
        AbiType::FixedArray(of, count) => {
            let elements = std::iter::repeat_n(&**of, *count);
            return write_list(elements, addresses, ['[', ']'], choices, text);
        }
        AbiType::Tuple(types) => {
            return write_list(types.iter(), addresses, ['(', ')'], choices, text);
        }
    }
    Ok(true)
}

fn write_bytes(count: usize, choices: &mut Choices, text: &mut String) -> Result<(), Reject> {
    text.push_str("0x");
    let filling = choices.below(256)?;
    for at in 0..count {
        let byte = match filling {
            0 | 1 => filling * 255,
            _ => (filling + at as u64) % 256,
        };
        *text += &format!("{byte:02x}");
    }
    Ok(())
}

fn unsigned(bits: usize, choices: &mut Choices) -> Result<U256, Reject> {
    let most = U256::MAX >> (256 - bits.clamp(1, 256));
    Ok(match choices.below(8)? {
        0 => most,
        1 => most >> 1,
        2 => most - U256::from(choices.below(4)?),
        3 => random_word(choices)? & most,
        _ => U256::from(choices.below(12)?) & most,
    })
}

fn signed(bits: usize, choices: &mut Choices) -> Result<I256, Reject> {
    let bits = bits.clamp(8, 256);
    let least = I256::MIN.asr(256 - bits);
    Ok(match choices.below(8)? {
        0 => least,
        1 => !least,
        2 => I256::from_raw(random_word(choices)?).asr(256 - bits),
        3 => I256::MINUS_ONE,
        _ => {
            let small = I256::from_raw(U256::from(choices.below(12)?));
            if choices.chance(1, 2)? { small } else { -small }
        }
    })
}

fn random_word(choices: &mut Choices) -> Result<U256, Reject> {
    let mut limbs = [0; 4];
    for limb in &mut limbs {
        *limb = choices.below(u64::MAX)?;
    }
    Ok(U256::from_limbs(limbs))
}
