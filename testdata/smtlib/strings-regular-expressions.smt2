; strings regular expressions
(set-logic QF_S)
(set-info :status sat)
(declare-const word String)
(assert (str.in_re word
  (re.++ (re.+ (re.range "a" "z")) (re.opt (str.to_re "-")) ((_ re.loop 2 3) (re.range "0" "9")))))
(assert (not (str.in_re word (re.++ re.all (str.to_re "-") re.all))))
(check-sat)
