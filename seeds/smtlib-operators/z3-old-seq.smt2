; Sequences in regular expressions, which z3 had.
(set-logic ALL)
(declare-const p (Seq Int))
(declare-const q (Seq Int))
(declare-const o (Seq Int))
(declare-const i Int)
(declare-const k Int)
(assert (seq.in_re p (re.* (seq.to_re q))))
(check-sat)
