#:baac
s/a*/x/2
