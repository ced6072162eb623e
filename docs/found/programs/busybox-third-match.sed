#:baac
s/a*/x/3
