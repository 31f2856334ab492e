# Powers of McNemar's test by enumeration of all tables, in R without packages: Rscript make_mcnemar.R > mcnemar_powers.csv
# p values of the exact test are those of binom.test and of mcnemar.test's exact form; the script stops if they differ.
cat("# Made by tests/reference/make_mcnemar.R with R", as.character(getRversion()), "\n")
cat("test,n,p10,p01,alpha,power\n")
p_value <- function(x, y, test) {
  m <- x + y
  if (m == 0) return(1)
  k <- min(x, y)
  exact <- min(1, 2 * pbinom(k, m, 0.5))
  if (test == "exact") {
    stopifnot(abs(exact - binom.test(x, m, 0.5)$p.value) < 1e-12)
    return(exact)
  }
  if (2 * k == m) 1 - dbinom(k, m, 0.5) / 2 else 2 * pbinom(k, m, 0.5) - dbinom(k, m, 0.5)
}
rejects <- function(n, alpha, test) {
  table <- matrix(FALSE, n + 1, n + 1)
  for (x in 0:n) for (y in 0:(n - x)) table[x + 1, y + 1] <- p_value(x, y, test) <= alpha * (1 + 1e-12)
  table
}
chances <- function(n, p10, p01) {
  table <- matrix(0, n + 1, n + 1)
  for (x in 0:n) for (y in 0:(n - x)) {
    table[x + 1, y + 1] <- dbinom(x, n, p10) * (if (p10 < 1) dbinom(y, n - x, p01 / (1 - p10)) else (y == 0))
  }
  table
}
# Suissa and Shuster 1991: the least z for which the error probability is at most alpha at all discordant shares.
unconditional <- function(n, alpha) {
  x <- row(matrix(0, n + 1, n + 1)) - 1
  y <- col(matrix(0, n + 1, n + 1)) - 1
  inside <- x + y <= n & x + y > 0
  z <- ifelse(inside, abs(x - y) / sqrt(pmax(x + y, 1)), 0)
  shares <- seq(0.001, 1, by = 0.001)
  half <- lapply(shares, function(psi) chances(n, psi / 2, psi / 2))
  candidates <- sort(unique(round(z[inside], 9)), decreasing = TRUE)
  best <- candidates[1] + 1
  for (one in candidates) {
    region <- inside & z >= one - 1e-8
    if (max(sapply(half, function(p) sum(p[region]))) > alpha) break
    best <- one
  }
  inside & z >= best - 1e-8
}
settings <- list(c(0.08, 0.03), c(0.15, 0.05), c(0.2, 0.05), c(0.06, 0.01), c(0.05, 0), c(0.3, 0.25), c(0.7, 0.3))
for (test in c("exact", "mid-p")) for (alpha in c(0.05, 0.01)) for (n in c(12, 40, 82)) {
  region <- rejects(n, alpha, test)
  for (p in settings[c(1, 3, 4, 6, 7)]) {
    cat(test, n, p[1], p[2], alpha, sprintf("%.14f", sum(chances(n, p[1], p[2])[region])), sep = ",")
    cat("\n")
  }
}
for (at in list(c(1, 340), c(2, 152), c(4, 214), c(5, 157))) for (test in c("exact", "mid-p")) {
  p <- settings[[at[1]]]
  power <- sum(chances(at[2], p[1], p[2])[rejects(at[2], 0.05, test)])
  cat(test, at[2], p[1], p[2], 0.05, sprintf("%.14f", power), sep = ",")
  cat("\n")
}
for (n in c(12, 25, 40)) {
  region <- unconditional(n, 0.05)
  for (p in settings[c(1, 3, 6, 7)]) {
    cat("unconditional", n, p[1], p[2], 0.05, sprintf("%.14f", sum(chances(n, p[1], p[2])[region])), sep = ",")
    cat("\n")
  }
}
