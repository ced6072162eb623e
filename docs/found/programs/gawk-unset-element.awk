function limited(x) { x }
function cut(s) { s }
function f0() {
  cut(a0["none"])
  print 0 == a0["none"]
  limited(!a0["none"])
}
BEGIN { f0() }
