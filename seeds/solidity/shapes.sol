// SPDX-License-Identifier: MIT
pragma solidity >=0.6.0;

interface Shape {
    function area(uint16 size) external view returns (uint);
}

abstract contract Named is Shape {
    bytes32 internal name;
    modifier counted() {
        calls++;
        _;
        calls += 10;
    }
    uint public calls;

    function title() public virtual returns (bytes32);
}

contract Square is Named {
    function area(uint16 size) public view virtual override returns (uint) {
        return uint(size) * size;
    }

    function title() public virtual override counted returns (bytes32) {
        name = "square";
        return name;
    }
}

contract Cube is Square {
    function area(uint16 size) public view override returns (uint) {
        return super.area(size) * 6;
    }

    function title() public override returns (bytes32) {
        super.title();
        return name ^ "cube";
    }

    function through(uint16 size) public returns (uint, bool) {
        try this.area(size) returns (uint found) {
            return (found, this.title() == name);
        } catch {
            return (0, false);
        }
    }
}
