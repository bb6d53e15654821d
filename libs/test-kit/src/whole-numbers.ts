/**
 * Reads options of a script as whole numbers. If one is not a whole number, or smaller than its entry in `least`, says
 * so and ends the process.
 */
export function wholeNumbers<Name extends string>(
  values: Readonly<Record<NoInfer<Name>, string>>,
  least: Readonly<Record<Name, number>>,
): Record<Name, number> {
  const names = Object.keys(least) as Name[];
  const wrong = names.filter((name) => !/^\d{1,15}$/.test(values[name]) || Number(values[name]) < least[name]);
  for (const name of wrong) process.stderr.write(`--${name} must be a whole number, at least ${least[name]}\n`);
  if (wrong.length > 0) process.exit(2);
  return Object.fromEntries(names.map((name) => [name, Number(values[name])])) as Record<Name, number>;
}
