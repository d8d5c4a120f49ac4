// Fuzz target: patterns of java.util.regex, which are read and tried on a text. What stands behind a line feed is the text.
import { CompiledPattern, RegexExhausted } from '../../../server/engine/dynamic/java/regex/matcher-engine.ts';
import { FLAGS, PatternError, parsePattern } from '../../../server/engine/dynamic/java/regex/parser.ts';
import { type FuzzTarget, hold, textOf, texts } from '../target.ts';

const flags = Object.values(FLAGS);

export const target: FuzzTarget = {
  subject: ['engine/dynamic/java/regex/'],
  isText: true,
  samples: texts(
    '(?<scheme>[a-z][a-z0-9+.-]*)://([^/?#]*+)(?:/(.*?))?$\nhttps://example.org/a?b',
    '(?i:a|b)*+(\\d{2,5})\\1(?=x)(?<!y)\\bz\nabAB1212xz',
    '[\\p{L}&&[^a-c]]+\\Q.*\\E|\\x{1F600}|\\u00e9|\\R|\\h\n.*é',
    '^(a+)+$(?m)(?>b|bc)\\G\\Z\naaaaaaaaaaaaaaaaaaaaaaaa!',
  ),
  words: [
    '(?',
    '(?:',
    '(?=',
    '(?<=',
    '(?<!',
    '(?<n>',
    '\\k<n>',
    '\\p{',
    '\\P{Lu}',
    '{1,',
    '{0}',
    '??',
    '*+',
    '[^',
    '&&',
    '\\c',
    '\\0',
    '\\N{',
    '\\X',
  ],
  refusals: [PatternError, RegexExhausted],
  maxCpuTime: () => 5000,
  run(input) {
    const text = textOf(input);
    const end = text.indexOf('\n');
    const [source, subject] = end < 0 ? [text, text] : [text.slice(0, end), text.slice(end + 1)];
    return [0, flags[text.length % flags.length]!].map((flag) => {
      const pattern = new CompiledPattern(parsePattern(source, flag));
      const groups = pattern.find(subject, 0, 0, subject.length);
      hold(groups === null || groups.length === 2 * (pattern.groupCount + 1), 'a match has all groups of its pattern');
      hold(groups === null || groups.every((at) => at >= -1 && at <= subject.length), 'groups stand in the text');
      return groups;
    });
  },
};
