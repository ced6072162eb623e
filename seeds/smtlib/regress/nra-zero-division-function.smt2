; Division by zero may have any value, but it is a function: from x*x = y*y and
; x/0 = 1, y/0 = 2 follows x = -y, not 0, so that x/y = y/x. The solver says sat.
; Bad: z3 4.8.0 (post1) and 4.8.5 (solution-unsound). 4.5.1: unknown. Good: from 4.8.6 on.
(set-logic QF_NRA)
(set-info :status unsat)
(declare-fun x () Real)
(declare-fun y () Real)
(assert (= (/ x 0.0) 1.0))
(assert (= (/ y 0.0) 2.0))
(assert (= (* x x) (* y y)))
(assert (not (= (/ x y) (/ y x))))
(check-sat)
