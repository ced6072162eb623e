print(Number("-0x1F"));
