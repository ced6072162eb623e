; The value printed for y/x is 0.0, while y/x > 3 is asserted: the model
; contradicts the assertion.
; Bad: z3 4.5.1 (invalid-model). 4.8.0 (post1) to 4.8.6 print the division
; itself and no value for it. Good: from 4.8.7 on (value 4.0).
(set-option :produce-models true)
(set-logic QF_NRA)
(set-info :status sat)
(declare-fun x () Real)
(declare-fun y () Real)
(assert (> (/ y x) 3.0))
(assert (= (* x y) 0.0))
(check-sat)
(get-value (x y (/ y x)))
