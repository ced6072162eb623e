; sequences concatenation
(set-logic ALL)
(set-info :status unsat)
(declare-const s (Seq (_ BitVec 4)))
(declare-const t (Seq (_ BitVec 4)))
(assert (> (seq.len (seq.++ s t)) (+ (seq.len s) (seq.len t))))
(check-sat)
