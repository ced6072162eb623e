contract A { uint n; constructor() { n = 2; } function f(uint8 x) public virtual returns (uint) { n += x; return n; } }
contract B is A { function f(uint8 x) public virtual override returns (uint) { return super.f(x) * 2; } }
contract C is B { function f(uint8 x) public override returns (uint) { return super.f(x) + 1; } function g() public view returns (uint) { return n; } }
