; An intersection that holds no word.
(set-logic QF_S)
(set-info :status unsat)
(declare-fun w () String)
(assert (str.in_re w (re.inter
  ((_ re.loop 1 3) (re.union (str.to_re "ab") (str.to_re "ba")))
  (re.++ re.all (str.to_re "aaa") re.all))))
(assert (not (= w "")))
(check-sat)
