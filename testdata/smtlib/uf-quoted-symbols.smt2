; uf quoted symbols
(set-logic QF_UF)
(set-info :status sat)
(declare-sort |a sort| 0)
(declare-fun |f of (x)| (|a sort|) |a sort|)
(declare-const |let| |a sort|)
(declare-const |()| |a sort|)
(assert (distinct (|f of (x)| |let|) |()| |let|))
(check-sat)
