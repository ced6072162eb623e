#:a
i\
x\y
