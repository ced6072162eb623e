contract Box { uint kept; constructor(uint8 x) { kept = x; } function put(uint8 x) public { kept += x; } function get() public view returns (uint) { return kept; } }
contract Maker { Box box; function make(uint8 x) public { box = new Box(x); } function use_it(uint8 x) public returns (uint) { box.put(x); return box.get(); } }
