; A quantifier beside a division by the constant zero: segmentation fault.
; Bad: z3 4.8.0 (post1) and 4.8.5 (crash). Good: 4.5.1 and from 4.8.6 on.
(set-logic NRA)
(set-info :status sat)
(declare-fun x () Real)
(declare-fun y () Real)
(assert (exists ((v Real)) (= (* y v) (- v))))
(assert (not (>= 2.0 (/ x 0.0))))
(check-sat)
