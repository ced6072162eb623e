; As nra-zero-division-function, for integers: x = y, so x div 0 = y div 0.
; Bad: z3 4.5.1 and 4.8.7 (solution-unsound). Good: 4.8.0 (post1) to 4.8.6, and from 4.8.8 on.
(set-logic QF_NIA)
(set-info :status unsat)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (= (div x 0) 1))
(assert (= (div y 0) 2))
(assert (= (* x x) (* y y)))
(assert (> (* x y) 0))
(check-sat)
