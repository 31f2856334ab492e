# Topics per system by R's package pwr, for the tests against it. From this directory:
#
#     Rscript make_r_pwr.R
#
# writes r_pwr_t.csv and r_pwr_anova.csv. Rows whose denominator degrees of freedom reach 4e5 are left
# out: beyond that qf() returns its chi-square limit, and n comes out a topic low.
#
# pwr.t.test with alternative "two.sided" adds both tails, as strict = TRUE does in power.t.test; so
# there is nothing to allow for. pwr finds n with uniroot() at its default tolerance, 1.2e-4 in n, and
# from n = 2 upwards; where two topics are already enough it stops with an error, and n is given as 2.

library(pwr)

certificate <- sprintf(
  "# Made by make_r_pwr.R with %s, pwr %s.", R.version.string, packageVersion("pwr")
)

real_n <- function(call) tryCatch(call()$n, error = function(e) 2)

write_table <- function(name, table) {
  table$n <- sprintf("%.6f", table$real)
  table$required <- ceiling(table$real)
  table$real <- NULL
  file <- file(name, "w")
  writeLines(certificate, file)
  write.csv(table, file, row.names = FALSE, quote = FALSE)
  close(file)
}

t <- expand.grid(
  min_delta = c(0.01, 0.015, 0.02, 0.035, 0.05, 0.08, 0.1, 0.15, 0.2, 0.3, 0.5, 0.8, 1.2, 2, 3.5),
  beta = c(0.05, 0.1, 0.2, 0.5),
  alpha = c(0.001, 0.01, 0.05, 0.1, 0.3),
  type = c("paired", "two.sample"),
  stringsAsFactors = FALSE
)
t$real <- mapply(function(d, b, a, type) {
  real_n(function() pwr.t.test(d = d, sig.level = a, power = 1 - b, type = type, alternative = "two.sided"))
}, t$min_delta, t$beta, t$alpha, t$type)
groups <- ifelse(t$type == "paired", 1, 2)
write_table("r_pwr_t.csv", t[groups * t$real < 4e5, c("type", "alpha", "beta", "min_delta", "real")])

# minDelta = minD^2 / (2 sigma^2) is k f^2 in pwr's terms.
f <- expand.grid(
  min_delta = c(0.0005, 0.002, 0.01, 0.03, 0.1, 0.25, 0.5, 1, 3),
  beta = c(0.05, 0.1, 0.2, 0.5),
  alpha = c(0.001, 0.01, 0.05, 0.1),
  n_systems = c(2, 3, 5, 10, 30, 100, 500)
)
f$real <- mapply(function(delta, b, a, k) {
  real_n(function() pwr.anova.test(k = k, f = sqrt(delta / k), sig.level = a, power = 1 - b))
}, f$min_delta, f$beta, f$alpha, f$n_systems)
write_table(
  "r_pwr_anova.csv", f[f$n_systems * f$real < 4e5, c("n_systems", "alpha", "beta", "min_delta", "real")]
)
