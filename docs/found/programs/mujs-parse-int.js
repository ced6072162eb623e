print(parseInt("0x1F", 16));
