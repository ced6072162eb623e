; datatypes old form
(set-info :status sat)
(declare-datatypes (T) ((Option none (some (get T)))))
(declare-const x (Option Int))
(assert (is-some x))
(assert (> (get x) 3))
(check-sat)
