// Two texts that show the same in two ways and scroll in step: the one that a person moves leads. Knows lines alone.
import type { Extension } from '@codemirror/state';
import { EditorView, ViewPlugin } from '@codemirror/view';
import { markLine } from './marked-line.ts';

type Side = 'first' | 'second';

/** Lines of the two texts that show the same, from 1. */
export type LinePair = Readonly<Record<Side, number>>;

const otherOf = { first: 'second', second: 'first' } as const;

/** What a hand does to a text before it scrolls. */
const moves = ['wheel', 'pointerdown', 'keydown', 'touchstart'] as const;

export class InStep {
  readonly #views: Partial<Record<Side, EditorView>> = {};
  /** Pairs in the order of each text's lines; of those with the same line the first of the other text. */
  readonly #pairs: Readonly<Record<Side, readonly LinePair[]>>;
  #leader: Side | null = null;

  constructor(pairs: readonly LinePair[]) {
    const ordered = (side: Side) => pairs.toSorted((a, b) => a[side] - b[side] || b[otherOf[side]] - a[otherOf[side]]);
    this.#pairs = { first: ordered('first'), second: ordered('second') };
  }

  /** The line of the other text for one of this, by the nearest before it that both show; null before all of them. */
  lineBeside(side: Side, line: number): number | null {
    const pairs = this.#pairs[side];
    let low = 0;
    let high = pairs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[middle]![side] <= line) low = middle + 1;
      else high = middle;
    }
    return pairs[low - 1]?.[otherOf[side]] ?? null;
  }

  /** What one of the two editors takes. */
  extension(side: Side): Extension {
    const lead = () => {
      this.#leader = side;
    };
    const views = this.#views;
    return [
      ViewPlugin.define((view) => {
        views[side] = view;
        for (const move of moves) view.dom.addEventListener(move, lead, { capture: true, passive: true });
        return {
          destroy: () => {
            for (const move of moves) view.dom.removeEventListener(move, lead, { capture: true });
            if (views[side] === view) delete views[side];
          },
        };
      }),
      EditorView.domEventHandlers({
        scroll: (_, view) => {
          if (this.#leader === side) this.#scroll(side, view);
          return false;
        },
      }),
      EditorView.updateListener.of(({ selectionSet, state }) => {
        if (selectionSet && this.#leader === side) this.#mark(side, state.doc.lineAt(state.selection.main.head).number);
      }),
    ];
  }

  /** The other text shows at its top what this one does. */
  #scroll(side: Side, view: EditorView): void {
    const top = view.lineBlockAtHeight(view.scrollDOM.scrollTop);
    const line = this.lineBeside(side, view.state.doc.lineAt(top.from).number);
    this.#other(side, line, (other, from) =>
      other.dispatch({ effects: EditorView.scrollIntoView(from, { y: 'start' }) }),
    );
  }

  /** The line at which a person stands is marked in the other text too, and comes into view there. */
  #mark(side: Side, line: number): void {
    const beside = this.lineBeside(side, line);
    this.#other(side, beside, (other, from) =>
      other.dispatch({
        effects: [markLine.of(beside), EditorView.scrollIntoView(from, { y: 'nearest', yMargin: 40 })],
      }),
    );
  }

  #other(side: Side, line: number | null, act: (view: EditorView, from: number) => void): void {
    const other = this.#views[otherOf[side]];
    if (other === undefined || line === null || line > other.state.doc.lines) return;
    const { from } = other.state.doc.line(line);
    // Not within an update of this one.
    requestAnimationFrame(() => {
      if (other.dom.isConnected) act(other, from);
    });
  }
}
