pragma solidity ^0.4.24;

/// A shop with stock, prices in steps, members and a till.
contract Owned {
    address public owner;
    event OwnerChanged(address from, address to);

    constructor() public {
        owner = msg.sender;
    }

    modifier onlyOwner() {
        require(msg.sender == owner);
        _;
    }

    function hand(address to) public onlyOwner {
        emit OwnerChanged(owner, to);
        owner = to;
    }
}

library Steps {
    function clamp(uint16 value, uint16 most) internal pure returns (uint16) {
        if (value > most) {
            return most;
        }
        return value;
    }

    function rounded(uint16 value, uint8 step) internal pure returns (uint16) {
        uint16 rest = value % (step == 0 ? 1 : step);
        return value - rest;
    }
}

contract Stock is Owned {
    using Steps for uint16;
    mapping(uint8 => uint16) internal stock;
    uint16 public kinds;
    uint16 public total;
    event Stocked(uint8 item, uint16 many, uint16 total);

    function fill(uint8 item, uint16 many) public returns (uint16) {
        uint16 room = 1000 - total % 1000;
        uint16 put = many.clamp(room);
        if (stock[item] == 0) {
            kinds++;
        }
        stock[item] += put;
        total += put;
        emit Stocked(item, put, total);
        return put;
    }

    function left(uint8 item) public view returns (uint16) {
        uint16 here = stock[item];
        return here.rounded(1);
    }
}

contract Shop is Stock {
    struct Member {
        uint32 points;
        bool known;
    }

    mapping(address => Member) internal members;
    uint128 public till;
    uint8 public level;
    int32 public mood;
    event Sold(uint8 item, uint16 many, uint128 price);
    event Joined(address who);

    constructor(uint8 start) public {
        level = start % 7;
        mood = 1;
    }

    function join() public {
        Member storage member = members[msg.sender];
        if (!member.known) {
            member.known = true;
            emit Joined(msg.sender);
        }
        member.points += 5;
    }

    function price(uint8 item, uint16 many, uint8 step) public view returns (uint128) {
        uint128 one = 3;
        uint8 grade = item % 5 + level;
        for (uint8 i = 0; i < grade; i++) {
            one += i;
        }
        uint128 all = one * many;
        if (step > 2) {
            all -= all / step;
        }
        return all;
    }

    function sell(uint8 item, uint16 many, uint8 step) public returns (uint128 cost) {
        require(many > 0);
        uint16 here = stock[item];
        uint16 sold = many > here ? here : many;
        cost = price(item, sold, step);
        stock[item] = here - sold;
        total -= sold;
        till += cost;
        if (members[msg.sender].known) {
            members[msg.sender].points += uint32(sold);
            mood++;
        } else {
            mood--;
        }
        emit Sold(item, sold, cost);
    }

    function close(uint8 by) public onlyOwner returns (uint128) {
        uint128 before = till;
        uint8 part = by % 4 + 1;
        till = till / part;
        level = (level + part) % 7;
        return before - till;
    }
}
