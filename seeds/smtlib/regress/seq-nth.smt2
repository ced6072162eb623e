; The element behind t is i. The solver leaves seq.nth free and says sat.
; Bad: z3 4.8.5 (solution-unsound); older ones do not know seq.nth. Good: from 4.8.6 on.
(set-logic ALL)
(set-info :status unsat)
(declare-fun s () (Seq Int))
(declare-fun t () (Seq Int))
(declare-fun i () Int)
(assert (= s (seq.++ t (seq.unit i) t)))
(assert (distinct (seq.nth s (seq.len t)) i))
(check-sat)
