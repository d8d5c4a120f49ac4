// The names that compilers give to what they make of lambdas. Knows no classes.

/** The class that the name of a class made of a lambda tells: d8's `Maker$$ExternalSyntheticLambda0`, `-$$Lambda$Maker$id` before. */
export function lambdaMaker(type: string): string | null {
  const [, path, name] = type.match(/^L((?:.*\/)?)([^/]*);$/s) ?? [];
  const [, maker] =
    name?.match(/^(.+?)\$\$(?:ExternalSynthetic)?Lambda\$?\d+$/s) ?? name?.match(/^-\$\$Lambda\$(.+)\$[^$]+$/s) ?? [];
  return maker === undefined ? null : `L${path}${maker};`;
}

/** Whether a method has a name that compilers give to the bodies of lambdas. */
export const isLambdaName = (name: string): boolean => name.includes('lambda$');
