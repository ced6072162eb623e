contract C { function f() public { bytes virtual data; } }
