// The interfaces of which source makes objects by lambdas. Knows no code of methods.
import type { Dex } from '../../formats/dex/dex.ts';
import { callSiteAt } from '../../formats/dex/method-handle.ts';
import type { Program } from '../printing/program.ts';

/** The app's interfaces that its call sites link objects of, and those of the classes that compilers make of lambdas. */
export function lambdaInterfaces(program: Program, dexes: readonly Dex[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const dex of dexes) {
    for (let index = 0; index < (dex.map.callSites?.count ?? 0); index++) {
      const type = callSiteAt(dex, index)?.[2];
      if (type?.kind === 'proto') found.add(dex.protoReturnType(type.index));
    }
  }
  for (const type of program.localCandidates)
    if (program.isLambdaClass(type)) for (const above of program.relations.factsOf(type)!.interfaces) found.add(above);
  for (const type of found)
    if (program.relations.isInterface(type)) for (const above of program.relations.above(type)) found.add(above);
  return found;
}
