; A sequence has no longer prefix than itself.
(set-logic ALL)
(set-info :status unsat)
(declare-fun s () (Seq Int))
(declare-fun t () (Seq Int))
(declare-fun i () Int)
(assert (= s (seq.++ t (seq.unit i) t)))
(assert (or (seq.prefixof s t) (= (mod (seq.len s) 2) 0) (distinct (seq.nth s (seq.len t)) i)))
(check-sat)
