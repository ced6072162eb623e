; strings old names
(declare-fun x () String)
(declare-fun n () Int)
(assert (str.in.re x (re.++ (str.to.re "0x") (re.* (re.range "0" "9")))))
(assert (= (int.to.str n) (str.substr x 2 2)))
(assert (= (str.to.int (str.at x 2)) 7))
(check-sat)
