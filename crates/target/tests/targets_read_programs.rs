//! What the rules of compilers, interpreters and databases make of what they
//! really print: the texts are those of real runs, shortened.

#![allow(clippy::unwrap_used)]

mod reading;

use lydite_core::{Capture, Exit, Outcome};
use lydite_target::{AnswerKind, Frame};
use reading::{check, ended, frame, outcome};

#[test]
fn slither_is_read_by_the_place_of_its_errors() {
    let rows = [
        (
            1,
            "Refused: Invalid solc compilation TypeError: no such type\n  at case.sol 22\n",
            "rejected: TypeError: no such type",
        ),
        (
            1,
            "Refused: Invalid solc compilation UnimplementedFeatureError: copying\n",
            "unsupported: Refused: Invalid solc compilation UnimplementedFeatureError: copying",
        ),
        (
            1,
            "KeyError: 'a'\nBroken: slither/core/declarations/contract.py get_state KeyError\n",
            "crashed: slither/core/declarations/contract.py get_state KeyError",
        ),
        (
            255,
            "Traceback (most recent call last):\n  File \"/c/root/slither/__main__.py\", line 76, in process_single\n    slither = Slither(target)\n              ^^^^^^^\n  File \"/c/root/slither/solc_parsing/unit.py\", line 343, in parse_top_level\n    raise SlitherException(what)\nslither.exceptions.SlitherException: Type not found struct C.S\nError:\n",
            "crashed: slither/solc_parsing/unit.py parse_top_level SlitherException",
        ),
        (
            255,
            "Traceback (most recent call last):\n  File \"/c/root/slither/__main__.py\", line 76, in process_single\n    slither = Slither(target)\n              ^^^^^^^\n  File \"/c/root/slither/solc_parsing/unit.py\", line 343, in parse_top_level\n    raise SlitherException(what)\nslither.exceptions.SlitherException: Top level EventDefinition not supported\nError:\n",
            "unsupported: Top level EventDefinition not supported",
        ),
    ];
    let rows = rows.map(|(status, said, expected)| ("slither", status, "", said, expected));
    check(AnswerKind::Accepted, &rows);
}

#[test]
fn solc_is_read_in_the_words_of_all_its_versions() {
    let rows = [
        // 0.3.6
        (
            1,
            "case.sol:1:51: Error: Operator + not compatible with types int_const 1 and bool\ncontract A {\n",
            "rejected: Error: Operator + not compatible with types int_const 1 and bool",
        ),
        // 0.4.24
        (
            1,
            "TypeError: Operator + not compatible with types int_const 1 and bool\n  at case.sol 50\n",
            "rejected: TypeError: Operator + not compatible with types int_const 1 and bool",
        ),
        (
            1,
            "CompilerError: Compiler error (/root/project/libsolidity/codegen/LValue.cpp:49):Stack too deep, try removing local variables.\n",
            "unsupported: CompilerError: Compiler error (/root/project/libsolidity/codegen/LValue.cpp:49):Stack too deep, try removing local variables.",
        ),
        (
            1,
            "InternalCompilerError: Internal compiler error (/root/project/libsolidity/analysis/TypeChecker.cpp:2260):Requested type not present.\n",
            "crashed: TypeChecker.cpp Requested type not present.",
        ),
        // 0.6.9, 0.8.28 and 0.8.30 on the same bug
        (
            1,
            "InternalCompilerError: Internal compiler error (/root/project/libsolidity/ast/Types.cpp:2203):\n",
            "crashed: Types.cpp",
        ),
        (
            1,
            "InternalCompilerError: Internal compiler error (/solidity/libsolidity/ast/Types.cpp:2284):Solidity assertion failed\n",
            "crashed: Types.cpp",
        ),
        (
            1,
            "InternalCompilerError: Internal compiler error:\n/solidity/libsolidity/ast/Types.cpp(2295): Throw in function virtual bool solidity::frontend::StructType::isDynamicallyEncoded() const\nDynamic exception type: boost::wrapexcept<solidity::langutil::InternalCompilerError>\nstd::exception::what: Solidity assertion failed\n",
            "crashed: Types.cpp solidity::frontend::StructType::isDynamicallyEncoded",
        ),
        (
            1,
            "YulException: Yul exception:Variable var_amount_43 is 6 slot(s) too deep inside the stack. Stack too deep.\n",
            "unsupported: YulException: Yul exception:Variable var_amount_43 is 6 slot(s) too deep inside the stack. Stack too deep.",
        ),
        (
            1,
            "UnimplementedFeatureError: Unimplemented feature (/solidity/libsolidity/codegen/ArrayUtils.cpp:227):Copying of type struct C.S memory[] memory to storage not yet supported.\n",
            "unsupported: UnimplementedFeatureError: Unimplemented feature (/solidity/libsolidity/codegen/ArrayUtils.cpp:227):Copying of type struct C.S memory[] memory to storage not yet supported.",
        ),
        // Its host
        (
            70,
            "Breakdown: RangeError: Maximum call stack size exceeded\nRangeError: Maximum call stack size exceeded\n",
            "out-of-memory",
        ),
        (
            70,
            "Breakdown: RuntimeError: memory access out of bounds\nRuntimeError: memory access\n",
            "crashed: RuntimeError: memory access out of bounds",
        ),
        (
            0,
            "Warning: CHC: Assertion violation happens here.\n",
            "accepted",
        ),
    ];
    let rows = rows.map(|(status, said, expected)| ("solc", status, "", said, expected));
    check(AnswerKind::Accepted, &rows);
}

#[test]
fn compilers_accept_reject_and_die() {
    check(
        AnswerKind::Accepted,
        &[
            ("gcc", 0, "", "", "accepted"),
            (
                "clang",
                0,
                "",
                "warning: this is not supported\n",
                "accepted",
            ),
            ("tcc", 0, "", "", "accepted"),
            (
                "gcc",
                1,
                "",
                "case.c: In function 'main':\ncase.c:1:22: error: 'x' undeclared (first use in this function)\n",
                "rejected: case.c:1:22: error: 'x' undeclared (first use in this function)",
            ),
            (
                "clang",
                1,
                "",
                "case.c:1:25: error: use of undeclared identifier 'x'\n1 error generated.\n",
                "rejected: case.c:1:25: error: use of undeclared identifier 'x'",
            ),
            (
                "tcc",
                1,
                "",
                "case.c:1: error: 'x' undeclared\n",
                "rejected: case.c:1: error: 'x' undeclared",
            ),
            (
                "gcc",
                1,
                "",
                "case.c:1:5: sorry, unimplemented: passing too large argument on stack\n",
                "unsupported: case.c:1:5: sorry, unimplemented: passing too large argument on stack",
            ),
            (
                "clang",
                1,
                "",
                "case.c:1:283: fatal error: bracket nesting level exceeded maximum of 256\n",
                "unsupported: case.c:1:283: fatal error: bracket nesting level exceeded maximum of 256",
            ),
            (
                "gcc",
                4,
                "",
                "gcc: internal compiler error: Segmentation fault signal terminated program cc1\nPlease submit a full bug report\n",
                "crashed: Segmentation fault signal terminated program cc1",
            ),
            (
                "gcc",
                1,
                "",
                "during GIMPLE pass: vrp\ncase.c: In function 'f':\ncase.c:3:5: internal compiler error: in gimple_assign_rhs_code, at gimple.h:2853\n0x1234 f\n",
                "crashed: in gimple_assign_rhs_code, at gimple.h:2853",
            ),
            (
                "gcc",
                1,
                "",
                "case.c:3:5: internal compiler error: Segmentation fault\n0xb7a8a3 crash_signal\n\t../../src/gcc/toplev.cc:322\n0x7f get_range_query(function const*)\n\t../x.h:1\n",
                "crashed: Segmentation fault get_range_query",
            ),
            (
                "clang",
                1,
                "",
                "fatal error: error in backend: Cannot select: t5: i32 = foo\nPLEASE submit a bug report to x\n",
                "crashed: Cannot select i32 = foo",
            ),
            (
                "clang",
                1,
                "",
                "fatal error: error in backend: Cannot select: 0x55e0: i32,ch = load<(load (s8))> # D:1 0x55f0\n",
                "crashed: Cannot select i32,ch = load",
            ),
            (
                "clang",
                1,
                "",
                "PLEASE submit a bug report to x\nStack dump:\n0.\tProgram arguments: clang -c\n \
                 #0 0x00007f llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (/x/libLLVM.so+0x4e)\n \
                 #1 0x00007f (/x/libc.so.6+0x3c)\n \
                 #2 0x00007f llvm::VectorType::get(llvm::Type*, llvm::ElementCount) (/x/libLLVM.so+0x5a)\n",
                "crashed: llvm::VectorType::get",
            ),
            (
                "clang++",
                1,
                "",
                "PLEASE submit a bug report to x\nStack dump:\n0.\tProgram arguments: /x/clang -c case.cpp\n\
                 1.\t<eof> parser at end of file\n2.\tcase.cpp:2:6: Mangling declaration 'g'\n \
                 #0 0x00007f (/x/libLLVM.so+0x4e)\n",
                "crashed: Mangling declaration",
            ),
            (
                "clang",
                1,
                "",
                "PLEASE submit a bug report to x\nStack dump:\n0.\tProgram arguments: clang -c\n\
                 1.\tRunning pass 'X86 DAG->DAG Instruction Selection' on function '@f'\n \
                 #0 0x00007f (/x/libLLVM.so+0x4e)\n",
                "crashed: Running pass 'X86 DAG->DAG Instruction Selection",
            ),
            (
                "clang",
                1,
                "",
                "clang-19: /build/llvm/lib/IR/Value.cpp:507: void llvm::Value::doRAUW(Value*): Assertion `New && \"x\"' failed.\nPLEASE submit a bug report to x\n",
                "crashed: Value.cpp Assertion `New && \"x\"' failed",
            ),
            (
                "pcc",
                1,
                "",
                "case.c:(.text+0x5b5): relocation truncated to fit: R_X86_64_PC32 against `.bss'\ncollect2: error: ld returned 1 exit status\n",
                "rejected: relocation truncated to fit",
            ),
            (
                "clang-tidy",
                -11,
                "",
                "PLEASE submit a bug report to x\nStack dump:\n1.\tcase.c:1:16: current parser token ';'\n \
                 #0 0x000000000510851a llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (/x/clang-tidy+0x5)\n \
                 #1 0x00000000030747b3 clang::InitializationSequence::Perform(clang::Sema&) (/x/clang-tidy+0x3)\n",
                "crashed: clang::InitializationSequence::Perform",
            ),
            (
                "clang-tidy++",
                -11,
                "",
                "PLEASE submit a bug report to x\nStack dump:\n0.\tProgram arguments: /x/clang-tidy case.cpp --\n\
                 1.\t<eof> parser at end of file\n\
                 2.\tASTMatcher: Matching 'bugprone-misplaced-operator-in-strlen-in-alloc' against:\n\
                 \tCXXNewExpr : <case.cpp:1:20, col:30>\n \
                 #3 0x00000000039e3ef0 clang::ASTNodeKind::getFromNode(clang::Stmt const&) (/x/clang-tidy+0x3)\n",
                "crashed: bugprone-misplaced-operator-in-strlen-in-alloc",
            ),
            (
                "clang-tidy++",
                1,
                "",
                "Error while processing /x/case.cpp.\n/x/case.cpp:1:5: error: unknown type name 'x' [clang-diagnostic-error]\n",
                "rejected: /x/case.cpp:1:5: error: unknown type name 'x' [clang-diagnostic-error]",
            ),
            (
                "pcc",
                1,
                "",
                "/tmp/ctm.a: Assembler messages:\n/tmp/ctm.a:18: Error: symbol `by_short' is already defined\n",
                "crashed: Error: symbol is already defined",
            ),
            // The assembly is the program's own.
            (
                "pcc",
                1,
                "",
                "/tmp/ctm.a: Assembler messages:\n/tmp/ctm.a:2: Error: no such instruction: `foo'\n",
                "unsupported: /tmp/ctm.a:2: Error: no such instruction: `foo'",
            ),
            (
                "chibicc",
                1,
                "",
                "/tmp/chibicc-a: Assembler messages:\n/tmp/chibicc-a:2: Error: junk at end of line, first unrecognized character is `,'\n",
                "unsupported: /tmp/chibicc-a:2: Error: junk at end of line, first unrecognized character is `,'",
            ),
            ("tcc", -11, "", "", "crashed: SIGSEGV"),
            (
                "tcc",
                -6,
                "",
                "tcc: x86_64-gen.c:445: load: Assertion `((ft & VT_BTYPE) == VT_INT)' failed.\n",
                "crashed: x86_64-gen.c Assertion `((ft & VT_BTYPE) == VT_INT)' failed",
            ),
            // The limit is the run's own.
            (
                "gcc",
                1,
                "",
                "gcc: fatal error: File size limit exceeded signal terminated program as\ncompilation terminated.\n",
                "out-of-memory",
            ),
            (
                "gcc",
                1,
                "",
                "cc1: out of memory allocating 4064 bytes after a total of 1 bytes\n",
                "out-of-memory",
            ),
            (
                "tcc",
                1,
                "",
                "tcc: error: memory full (malloc)\n",
                "out-of-memory",
            ),
        ],
    );
}

#[test]
fn interpreters_and_databases_tell_bad_programs_from_failing_ones() {
    check(
        AnswerKind::Output,
        &[
            ("lua", 0, "42\n", "", "exit 0, output \"42\\n\""),
            (
                "lua",
                0,
                "table: 0x55e0ec56f6a0\tfunction: builtin: 0x5\n",
                "",
                "exit 0, output \"table: ADDRESS\\tfunction: builtin: 0x5\\n\"",
            ),
            (
                "lua",
                1,
                "",
                "/a/usr/bin/lua5.1: case.lua:1: unexpected symbol near '/'\n",
                "rejected: case.lua:1: unexpected symbol near '/'",
            ),
            (
                "lua",
                1,
                "1\n",
                "lua5.4: case.lua:1: attempt to index a nil value (global 'x') near y\nstack traceback:\n\tcase.lua:1: in main chunk\n\t[C]: in ?\n",
                "exit 1, output \"1\\n\"",
            ),
            (
                "lua",
                1,
                "",
                "lua5.4: C stack overflow\n",
                "unsupported: C stack overflow",
            ),
            ("lua", 1, "", "lua5.4: not enough memory\n", "out-of-memory"),
            (
                "luajit",
                1,
                "",
                "luajit: case.lua:1: chunk has too many syntax levels\n",
                "unsupported: case.lua:1: chunk has too many syntax levels",
            ),
            ("luajit", -11, "1\n", "", "crashed: SIGSEGV"),
            // What the program prints is not what the target says.
            (
                "lua", 0, "1\n", "not enough memory\n", "exit 0, output \"1\\n\"",
            ),
            (
                "lua",
                0,
                "not enough memory\n",
                "",
                "exit 0, output \"not enough memory\\n\"",
            ),
            (
                "sqlite",
                0,
                "1.5|x|1\n",
                "",
                "exit 0, output \"1.5|x|1\\n\"",
            ),
            (
                "sqlite",
                1,
                "",
                "Parse error near line 1: near \"selec\": syntax error\n  selec 1;\n  ^--- error here\n",
                "rejected: Parse error near line 1: near \"selec\": syntax error",
            ),
            (
                "sqlite",
                1,
                "1\n",
                "Runtime error near line 2: UNIQUE constraint failed: t.a (19)\n",
                "rejected: Runtime error near line 2: UNIQUE constraint failed: t.a (19)",
            ),
            (
                "sqlite",
                1,
                "",
                "Runtime error near line 1: out of memory (7)\n",
                "out-of-memory",
            ),
            (
                "sqlite",
                1,
                "",
                "Parse error near line 1: parser stack overflow\n",
                "unsupported: Parse error near line 1: parser stack overflow",
            ),
            (
                "duckdb",
                1,
                "",
                "ParserException: Parser Error: syntax error at or near \"selec\"\n\nLINE 1: selec 1;\n",
                "rejected: ParserException: Parser Error: syntax error at or near \"selec\"",
            ),
            (
                "duckdb",
                1,
                "1\n",
                "ConversionException: Conversion Error: Could not convert string 'x' to INT32\n",
                "rejected: ConversionException: Conversion Error: Could not convert string 'x' to INT32",
            ),
            (
                "duckdb",
                1,
                "",
                "InternalException: INTERNAL Error: Attempted to access index 0 within vector of size 0\n",
                "crashed: INTERNAL Error: Attempted to access index 0 within vector of size 0",
            ),
            (
                "duckdb",
                1,
                "",
                "OutOfMemoryException: Out of Memory Error: failed to allocate data\n",
                "out-of-memory",
            ),
            (
                "postgres",
                1,
                "",
                "42601 FATAL:  syntax error at or near \"selec\" at character 1\n",
                "rejected: syntax error at or near \"selec\" at character 1",
            ),
            (
                "postgres",
                1,
                "1\n",
                "22012 FATAL:  division by zero\n",
                "rejected: division by zero",
            ),
            (
                "postgres",
                1,
                "",
                "XX000 FATAL:  could not find pathkey item to sort\n",
                "crashed: could not find pathkey item to sort",
            ),
            (
                "postgres",
                1,
                "",
                "0A000 FATAL:  FULL JOIN is only supported with merge-joinable or hash-joinable join conditions\n",
                "unsupported: FULL JOIN is only supported with merge-joinable or hash-joinable join conditions",
            ),
            (
                "mariadb",
                1,
                "",
                "ERROR 1064 (42000) at line 1: You have an error in your SQL syntax\n",
                "rejected: ERROR 1064 (42000) at line 1: You have an error in your SQL syntax",
            ),
            (
                "mariadb",
                1,
                "1\n",
                "ERROR 1690 (22003) at line 2: BIGINT value is out of range in '1'\n",
                "rejected: ERROR 1690 (22003) at line 2: BIGINT value is out of range in '1'",
            ),
            (
                "mariadb",
                1,
                "",
                "ERROR 2026 (HY000) at line 3: Lost connection to server during query\nmariadbd: killed by SIGSEGV\n",
                "crashed: mariadbd: killed by SIGSEGV",
            ),
        ],
    );
}

#[test]
fn the_death_of_the_compiled_program_is_its_behaviour() {
    let program = Frame {
        program: true,
        ..frame(AnswerKind::Output)
    };
    for (exit, stdout, stderr, expected) in [
        (Exit::Status(3), "a\n", "", "exit 3, output \"a\\n\""),
        (
            Exit::Status(0),
            "internal compiler error: no\n",
            "",
            "exit 0, output \"internal compiler error: no\\n\"",
        ),
        (Exit::Signal(11), "a\n", "", "exit 139, output \"a\\n\""),
        (
            Exit::Status(0),
            "-nan nano -nano\n",
            "",
            "exit 0, output \"nan nano -nano\\n\"",
        ),
        (
            Exit::Status(1),
            "a\n",
            "internal compiler error: I say so\nerror: mine\nout of memory allocating\n",
            "exit 1, output \"a\\n\"",
        ),
        (
            Exit::Status(99),
            "",
            "case.c:3:9: runtime error: signed integer overflow: 1 + 2147483647\n",
            "rejected: case.c:3:9: runtime error: signed integer overflow: 1 + 2147483647",
        ),
        (
            Exit::Signal(6),
            "",
            "==7==ERROR: AddressSanitizer\nSUMMARY: AddressSanitizer: stack-buffer-overflow case.c:4 in main\n",
            "rejected: SUMMARY: AddressSanitizer: stack-buffer-overflow case.c:4 in main",
        ),
    ] {
        let seen = outcome("gcc", &program, &ended(exit, stdout, stderr));
        assert_eq!(seen.to_string(), expected);
    }
}

#[test]
fn bytes_that_are_no_text_survive_normalisation() {
    let answers = [
        &b"\xff\xfe table: 0x55d0c1a2b3\n"[..],
        b"\xff\xfd table: 0x55d0c1a2b4\n",
    ];
    let answers = answers.map(|printed| {
        let mut ended = ended(Exit::Status(0), "", "");
        ended.stdout = Capture::whole(printed);
        outcome("lua", &frame(AnswerKind::Output), &ended)
    });
    let shown = |byte: &str| format!("exit 0, output \"\\xff\\x{byte} table: ADDRESS\\n\"");
    assert_eq!(
        answers.map(|answer| answer.to_string()),
        ["fe", "fd"].map(shown)
    );
}

#[test]
fn an_error_that_nobody_caught_is_a_crash_and_its_words_in_a_script_are_none() {
    let read = |status, stdout, stderr| {
        let ended = ended(Exit::Status(status), stdout, stderr);
        outcome("yices", &frame(AnswerKind::Verdicts), &ended).to_string()
    };
    let rust = "\nthread 'main' (7) panicked at src/solver.rs:88:13:\nindex out of bounds\n";
    let java = "Exception in thread \"main\" java.lang.NullPointerException: no\n\tat org.smt.Parser.read(Parser.java:1)\n";
    let go = "panic: runtime error: index out of range\n\ngoroutine 1 [running]:\nmain.solve(0x1)\n\t/src/main.go:10\n";
    for (status, stderr, site) in [
        (101, rust, "crashed: solver.rs index out of bounds"),
        (
            1,
            java,
            "crashed: java.lang.NullPointerException org.smt.Parser.read",
        ),
        (
            2,
            go,
            "crashed: runtime error: index out of range main.solve",
        ),
        (
            2,
            "Fatal error: exception Not_found\n",
            "crashed: Not_found",
        ),
    ] {
        assert_eq!(read(status, "", stderr), site);
        // Another status, or an answer: it was caught.
        assert!(read(77, "", stderr).starts_with("no-answer"), "{stderr}");
        assert_eq!(read(0, "sat\n", stderr), "sat");
    }
    let memory = "terminate called after throwing an instance of 'std::bad_alloc'\n";
    let dead = ended(Exit::Signal(6), "", memory);
    assert_eq!(
        outcome("gcc", &frame(AnswerKind::Accepted), &dead),
        Outcome::OutOfMemory
    );
    let said = "==1==ERROR: AddressSanitizer: heap-use-after-free\nsat\n";
    assert_eq!(read(0, said, ""), "sat");
    assert!(read(1, "sat\n", said).starts_with("crashed"));
}
