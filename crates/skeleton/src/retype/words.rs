//! Types and qualifiers that every program of a language may name, declared
//! or not.

use crate::extract::Dialect;

/// What holes of a language take beside what the seed itself has.
pub(super) struct Words {
    language: &'static str,
    /// Types, some of them never declared.
    pub types: &'static [&'static str],
    /// Words that say how something is declared.
    pub qualifiers: &'static [&'static str],
    /// True if a qualifier can also be put before a type that has none.
    pub can_insert: bool,
}

static WORDS: [Words; 7] = [
    Words {
        language: "c",
        types: &[
            "void",
            "char",
            "signed char",
            "unsigned short",
            "int",
            "unsigned",
            "long long",
            "float",
            "double",
            "long double",
            "_Bool",
            "_Complex double",
            "__int128",
            "struct undeclared",
            "union undeclared",
            "enum undeclared",
            "undeclared",
            "struct { int member; }",
            "struct undeclared { int member; }",
            "enum { only }",
            "__typeof__(int[3])",
            "__typeof__(int(void))",
        ],
        qualifiers: &[
            "const",
            "volatile",
            "restrict",
            "_Atomic",
            "static",
            "extern",
            "register",
            "auto",
            "inline",
            "_Thread_local",
            "typedef",
            "signed",
            "unsigned",
            "_Noreturn",
            "_Alignas(16)",
            "__attribute__((vector_size(16)))",
        ],
        can_insert: true,
    },
    Words {
        language: "cpp",
        types: &[
            "void",
            "bool",
            "char",
            "char16_t",
            "unsigned short",
            "int",
            "unsigned",
            "long long",
            "float",
            "double",
            "long double",
            "auto",
            "decltype(auto)",
            "decltype(nullptr)",
            "struct undeclared",
            "class undeclared",
            "union undeclared",
            "enum undeclared",
            "enum class undeclared",
            "undeclared",
            "undeclared<int>",
            "typename undeclared::type",
            "struct { int member; }",
            "decltype([] {})",
            "__underlying_type(undeclared)",
            "int &",
            "int &&",
            "int (&)[2]",
            "const void *",
        ],
        qualifiers: &[
            "const", "volatile", "static", "extern", "mutable", "thread_local", "inline",
            "constexpr", "consteval", "constinit", "typedef", "virtual", "explicit", "friend",
            "unsigned", "alignas(16)", "[[maybe_unused]]",
        ],
        can_insert: true,
    },
    Words {
        language: "solidity",
        types: &[
            "uint8",
            "uint256",
            "int128",
            "bool",
            "address",
            "address payable",
            "bytes1",
            "bytes32",
            "bytes",
            "string",
            "uint[]",
            "uint[3]",
            "mapping(uint => uint)",
            "mapping(bytes => mapping(uint => bool))",
            "function(uint) external",
            "Undeclared",
            "Undeclared[]",
            "fixed",
            "ufixed128x18",
        ],
        qualifiers: &[
            "public", "private", "internal", "external", "view", "pure", "payable", "constant",
            "immutable", "memory", "storage", "calldata", "transient", "virtual", "override",
        ],
        can_insert: false,
    },
    Words {
        language: "lua",
        types: &[],
        qualifiers: &["<const>", "<close>", "<undeclared>"],
        can_insert: false,
    },
    Words {
        language: "javascript",
        types: &[],
        qualifiers: &["var", "let", "const", "static", "async", "using"],
        can_insert: false,
    },
    Words {
        language: "rust",
        types: &[
            "i8", "i32", "u64", "i128", "usize", "f32", "f64", "bool", "char", "str", "&str",
            "String", "()", "!", "_", "Self", "Undeclared", "Undeclared<i32>", "Vec<_>",
            "Option<Self>", "&'static mut i32", "*const u8", "[u8]", "[i32; 3]", "[u8; _]",
            "fn(i32) -> i32", "impl Fn(i32) -> i32", "dyn Fn(i32) -> i32", "dyn Sized",
            "<i32 as Undeclared>::Item", "(i32, f64)",
        ],
        qualifiers: &[
            "mut", "ref", "pub", "pub(crate)", "const", "static", "unsafe", "async", "extern \"C\"",
        ],
        can_insert: false,
    },
    Words {
        language: "scala",
        types: &[
            "Int",
            "Long",
            "Double",
            "Boolean",
            "Char",
            "String",
            "Unit",
            "Nothing",
            "Null",
            "Any",
            "AnyRef",
            "Undeclared",
            "Undeclared[Int]",
            "this.type",
            "List[_]",
            "Array[Int]",
            "Option[Nothing]",
            "Int => Int",
            "=> Int",
            "Int*",
            "(Int, String)",
            "AnyRef { def f: Int }",
            "A forSome { type A <: List[A] }",
            "List[List]",
            "Map[Int]",
            "Int with String",
        ],
        qualifiers: &[
            "val", "var", "lazy val", "def", "private", "protected", "private[this]", "override",
            "abstract", "final", "sealed", "implicit", "lazy", "case",
        ],
        can_insert: false,
    },
];

impl Words {
    /// The words of the dialect's language.
    pub(super) fn of(dialect: &Dialect) -> Option<&'static Words> {
        WORDS
            .iter()
            .find(|words| words.language == dialect.language)
    }
}
