//! What a version of solc has: a table, so that a program fits the compiler
//! that it is sent to.

use std::str::FromStr;

use lydite_core::version::Version;

use crate::intrinsics::Intrinsic;

const TABLE: &str = include_str!("versions.txt");

/// The oldest version that programs are made for.
pub const OLDEST: &str = "0.4.16";

/// The newest version that the table was checked with.
pub const NEWEST: &str = "0.8.37";

/// Something that some versions have and others do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// `emit` before an event.
    Emit,
    /// The keyword `constructor`.
    Constructor,
    /// Violations of `view` and `pure` are errors, not warnings.
    StrictMutability,
    /// Data locations have to be written, `calldata` among them.
    Locations,
    /// `calldata` for any parameter, result or variable of any function.
    CalldataAnywhere,
    /// The type `address payable`.
    PayableAddress,
    /// The conversion `payable(…)`.
    PayableConversion,
    /// A constructor has a visibility.
    ConstructorVisibility,
    /// `virtual` and `override`.
    Virtual,
    /// `receive` and `fallback`.
    Receive,
    /// `try` and `catch`.
    Try,
    /// `push` is a function that may return a reference.
    PushMember,
    /// `pop` of dynamic arrays.
    Pop,
    /// `immutable` state variables.
    Immutable,
    /// Functions outside of contracts.
    FileFunctions,
    /// Structs and enums outside of contracts.
    FileStructs,
    /// `pragma abicoder`.
    AbicoderPragma,
    /// `pragma experimental ABIEncoderV2` is needed for nested types.
    EncoderV2,
    /// `unchecked` blocks.
    Unchecked,
    /// Custom errors.
    Errors,
    /// `type T is uint8`.
    ValueTypes,
    /// `bytes.concat`.
    BytesConcat,
    /// `string.concat`.
    StringConcat,
    /// `transient` state variables.
    Transient,
    /// Immutable variables may be read while their contract is made.
    FreeImmutables,
    /// Immutable variables whose first value is known are read by pure code.
    PureImmutables,
    /// `layout at`
    StorageLayout,
    /// `erc7201`
    Erc7201,
    /// `abi.encode` and its kin.
    AbiEncode,
    /// `abi.decode`.
    AbiDecode,
    /// `**` takes a signed base.
    SignedExponentBase,
    /// Shifts by signed amounts.
    SignedShift,
    /// Unary minus takes unsigned numbers.
    NegateUnsigned,
    /// `uint8` widens to `int16`.
    SignWidening,
    /// Any conversion between integers; integers of any size to addresses.
    FreeCasts,
    /// `msg.sender` is payable.
    PayableSender,
    /// Licence comments are asked for.
    Spdx,
    /// `pragma experimental SMTChecker`.
    SmtPragma,
    /// Inline assembly as it is today.
    Assembly,
    /// A function may promise more than the one it overrides.
    StricterOverrides,
    /// `gasleft()`
    GasLeft,
    /// `catch Panic(uint256)`
    Panic,
    /// `abi.encodeCall`
    EncodeCall,
    /// Events outside of contracts.
    FileEvents,
    /// `type(T).max` of integers.
    TypeLimits,
    /// `C.f` of another contract, for its selector.
    FunctionMembers,
    /// Structs and nested arrays go to and from other contracts: a coder
    /// that is not broken.
    NestedCoding,
    /// What a call of another contract returns may be of any size.
    ReturnedData,
    /// A mapping from strings may be public.
    SequenceKeyGetters,
    /// Several variables are declared at once, with their types.
    TupleDeclarations,
    /// `require` says why.
    RequireText,
    /// `if` in inline assembly.
    YulIf,
    /// A parameter in calldata may be assigned as a whole.
    CalldataAssignable,
    /// Structs and nested arrays as parameters in calldata.
    CalldataStructs,
    /// They can be encoded as they are.
    NestedCalldataCoding,
    /// They can be copied to memory and storage.
    NestedCalldataCopies,
    /// `{value: …}` in a call, and not `.value(…)`.
    CallOptions,
    /// What an external function is given may be assigned, as far as it has no
    /// location.
    ExternalAssignable,
    /// A function that overrides another can be put into a variable.
    OverrideValues,
    /// `unicode"…"`
    UnicodeText,
    /// `assembly ("memory-safe")`
    MemorySafe,
    /// `:` in the steps of Yul's optimizer, and what comes last behind it.
    CleanupSteps,
    /// `type(C).name`
    TypeName,
    /// `type(C).creationCode` and `runtimeCode`.
    TypeCode,
    /// `type(I).interfaceId`
    InterfaceId,
    /// `x[a:b]` of what is in calldata.
    Slices,
    /// `require(c, R(…))`
    RequireErrors,
    /// `using {f as +} for T global`
    Operators,
    /// `new C{salt: …}`
    Salt,
    /// Options of a call ask nothing of its caller.
    PureOptions,
    /// Arrays in calldata of what has no fixed size are copied to memory.
    NestedArrayCopies,
    /// The same for structs.
    DynamicStructCopies,
    /// Structs in calldata of what has no fixed size are copied to storage.
    DynamicStructStores,
    /// `M.C(…)` of another file's base behind a constructor.
    BasePaths,
    /// State variables of functions that return nothing.
    FunctionVariables,
    /// `v.slot := …` for a pointer to storage.
    SlotAssignments,
    /// Texts, arrays and structs as indexed parameters of events, by their hashes.
    IndexedReferences,
    /// `L.f(…)` of a function that is external in its library.
    LibraryPaths,
    /// Names of arguments, where several functions have the name that is called.
    NamedOverloads,
}

/// Names in the table, in the order of [`Feature`].
const FEATURES: [(&str, Feature); 79] = [
    ("emit", Feature::Emit),
    ("constructor", Feature::Constructor),
    ("strict-mutability", Feature::StrictMutability),
    ("locations", Feature::Locations),
    ("calldata-anywhere", Feature::CalldataAnywhere),
    ("payable-address", Feature::PayableAddress),
    ("payable-conversion", Feature::PayableConversion),
    ("constructor-visibility", Feature::ConstructorVisibility),
    ("virtual", Feature::Virtual),
    ("receive", Feature::Receive),
    ("try", Feature::Try),
    ("push-member", Feature::PushMember),
    ("pop", Feature::Pop),
    ("immutable", Feature::Immutable),
    ("file-functions", Feature::FileFunctions),
    ("file-structs", Feature::FileStructs),
    ("abicoder-pragma", Feature::AbicoderPragma),
    ("encoder-v2", Feature::EncoderV2),
    ("unchecked", Feature::Unchecked),
    ("errors", Feature::Errors),
    ("value-types", Feature::ValueTypes),
    ("bytes-concat", Feature::BytesConcat),
    ("string-concat", Feature::StringConcat),
    ("transient", Feature::Transient),
    ("free-immutables", Feature::FreeImmutables),
    ("pure-immutables", Feature::PureImmutables),
    ("storage-layout", Feature::StorageLayout),
    ("erc7201", Feature::Erc7201),
    ("abi-encode", Feature::AbiEncode),
    ("abi-decode", Feature::AbiDecode),
    ("signed-exponent-base", Feature::SignedExponentBase),
    ("signed-shift", Feature::SignedShift),
    ("negate-unsigned", Feature::NegateUnsigned),
    ("sign-widening", Feature::SignWidening),
    ("free-casts", Feature::FreeCasts),
    ("payable-sender", Feature::PayableSender),
    ("spdx", Feature::Spdx),
    ("smt-pragma", Feature::SmtPragma),
    ("assembly", Feature::Assembly),
    ("stricter-overrides", Feature::StricterOverrides),
    ("gas-left", Feature::GasLeft),
    ("panic", Feature::Panic),
    ("encode-call", Feature::EncodeCall),
    ("file-events", Feature::FileEvents),
    ("type-limits", Feature::TypeLimits),
    ("function-members", Feature::FunctionMembers),
    ("nested-coding", Feature::NestedCoding),
    ("returned-data", Feature::ReturnedData),
    ("sequence-key-getters", Feature::SequenceKeyGetters),
    ("tuple-declarations", Feature::TupleDeclarations),
    ("require-text", Feature::RequireText),
    ("yul-if", Feature::YulIf),
    ("calldata-assignable", Feature::CalldataAssignable),
    ("calldata-structs", Feature::CalldataStructs),
    ("nested-calldata-coding", Feature::NestedCalldataCoding),
    ("nested-calldata-copies", Feature::NestedCalldataCopies),
    ("call-options", Feature::CallOptions),
    ("external-assignable", Feature::ExternalAssignable),
    ("override-values", Feature::OverrideValues),
    ("unicode-text", Feature::UnicodeText),
    ("memory-safe", Feature::MemorySafe),
    ("cleanup-steps", Feature::CleanupSteps),
    ("type-name", Feature::TypeName),
    ("type-code", Feature::TypeCode),
    ("interface-id", Feature::InterfaceId),
    ("slices", Feature::Slices),
    ("require-errors", Feature::RequireErrors),
    ("operators", Feature::Operators),
    ("salt", Feature::Salt),
    ("pure-options", Feature::PureOptions),
    ("nested-array-copies", Feature::NestedArrayCopies),
    ("dynamic-struct-copies", Feature::DynamicStructCopies),
    ("dynamic-struct-stores", Feature::DynamicStructStores),
    ("base-paths", Feature::BasePaths),
    ("function-variables", Feature::FunctionVariables),
    ("slot-assignments", Feature::SlotAssignments),
    ("indexed-references", Feature::IndexedReferences),
    ("library-paths", Feature::LibraryPaths),
    ("named-overloads", Feature::NamedOverloads),
];

/// The language as one version of solc has it.
#[derive(Clone, Debug)]
pub struct Dialect {
    version: Version,
    features: u128,
    intrinsics: u64,
}

/// Why there is no dialect of a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownVersion;

impl Dialect {
    /// The version as it was asked for.
    pub fn version(&self) -> &Version {
        &self.version
    }

    /// True if this version has it.
    pub fn offers(&self, intrinsic: Intrinsic) -> bool {
        self.intrinsics >> intrinsic.number() & 1 == 1
    }

    /// True if this version has it.
    pub fn has(&self, feature: Feature) -> bool {
        self.features >> feature as u32 & 1 == 1
    }
}

impl FromStr for Dialect {
    type Err = UnknownVersion;

    /// A version such as `0.8.20`, from [`OLDEST`] on; what is newer than the
    /// table is taken for its newest.
    fn from_str(text: &str) -> Result<Dialect, UnknownVersion> {
        let mut parts = text.split('.');
        let numbers = parts.by_ref().map(str::parse::<u32>).take(4);
        if numbers.filter(Result::is_ok).count() != 3 || parts.next().is_some() {
            return Err(UnknownVersion);
        }
        let version = Version::new(text);
        if version < Version::new(OLDEST) || version >= Version::new("0.9.0") {
            return Err(UnknownVersion);
        }
        let mut features = 0;
        for (name, from, until) in rows() {
            let newer = until.is_none_or(|until| version < until);
            let known = FEATURES.iter().find(|(known, _)| *known == name);
            if let Some((_, feature)) = known
                && version >= from
                && newer
            {
                features |= 1 << *feature as u32;
            }
        }
        let offered = Intrinsic::all().filter(|intrinsic| {
            let row = intrinsic.row();
            let newer = row.until.is_none_or(|until| version < Version::new(until));
            version >= Version::new(row.from) && newer
        });
        let intrinsics = offered.fold(0, |set, intrinsic| set | 1 << intrinsic.number());
        Ok(Dialect {
            version,
            features,
            intrinsics,
        })
    }
}

/// The rows of the table: name, first version, first version without.
fn rows() -> impl Iterator<Item = (&'static str, Version, Option<Version>)> {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| {
        let mut words = line.split_whitespace();
        let (name, from, until) = (words.next()?, words.next()?, words.next()?);
        let until = (until != "-").then(|| Version::new(until));
        Some((name, Version::new(from), until))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_is_a_row_of_the_table_and_every_row_a_feature() {
        let names: Vec<&str> = rows().map(|(name, ..)| name).collect();
        let known: Vec<&str> = FEATURES.iter().map(|(name, _)| *name).collect();
        for name in &names {
            assert!(known.contains(name), "{name}");
        }
        for (number, (name, feature)) in FEATURES.iter().enumerate() {
            assert!(names.contains(name), "{name}");
            assert_eq!(*feature as usize, number, "{name}");
        }
    }

    #[test]
    fn a_version_has_what_the_table_says() {
        for (version, feature, has) in [
            ("0.8.20", Feature::Errors, true),
            ("0.8.3", Feature::Errors, false),
            ("0.6.12", Feature::ConstructorVisibility, true),
            ("0.7.0", Feature::ConstructorVisibility, false),
            ("0.4.20", Feature::Emit, false),
            ("0.8.99", Feature::Transient, true),
            ("0.6.8", Feature::NestedArrayCopies, true),
            ("0.6.12", Feature::NestedArrayCopies, false),
            ("0.7.6", Feature::NestedArrayCopies, true),
        ] {
            let dialect: Dialect = version.parse().unwrap();
            assert_eq!(dialect.has(feature), has, "{version} {feature:?}");
        }
        for bad in [
            "", "0.8", "0.9.0", "0.4.15", "1.2.3.4", "0.8.x", "0.8.2.1.1",
        ] {
            assert!(bad.parse::<Dialect>().is_err(), "{bad}");
        }
    }
}
