; strings empty language
(set-logic QF_S)
(set-info :status unsat)
(declare-const s String)
(assert (str.in_re s (re.inter (re.++ (str.to_re "a") re.all) (re.comp (re.++ (str.to_re "a") re.all)))))
(check-sat)
