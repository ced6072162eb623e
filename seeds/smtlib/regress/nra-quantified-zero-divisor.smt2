; x must be 0, and y/0 > 1/0 > 0 is possible since 1/0 and y/0 are free. The
; solver's quantifier elimination takes division by zero as impossible and says unsat.
; Bad: z3 4.8.0 (post1) and 4.8.5 (refutation-unsound). Good: 4.5.1 and from 4.8.6 on.
(set-logic NRA)
(set-info :status sat)
(declare-fun x () Real)
(declare-fun y () Real)
(assert (forall ((v Real)) (= (* v x) 0.0)))
(assert (> (/ y x) (/ 1.0 x) 0.0))
(check-sat)
