// Two texts that show the same in two ways and scroll in step: the one that a person moves leads. Knows lines alone.
import type { Extension, StateEffect } from '@codemirror/state';
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
  /** Whether its cursor was moved, and not the text under it. */
  #isAtCursor = false;

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
    const lead = ({ type }: Event) => {
      this.#leader = side;
      this.#isAtCursor = type === 'pointerdown' || type === 'keydown';
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
          this.#follow(side, view);
          return false;
        },
      }),
      EditorView.updateListener.of(({ selectionSet, view }) => {
        // Layout is not known within an update.
        if (selectionSet) requestAnimationFrame(() => this.#follow(side, view));
      }),
    ];
  }

  /** The other text shows what this one does as far from the top: where the cursor stands, which is marked, or the first line. */
  #follow(side: Side, view: EditorView): void {
    const other = this.#views[otherOf[side]];
    if (this.#leader !== side || other === undefined || !view.dom.isConnected || !other.dom.isConnected) return;
    const { scrollTop, clientHeight } = view.scrollDOM;
    const cursor = view.lineBlockAt(view.state.selection.main.head);
    const isSeen = this.#isAtCursor && cursor.top >= scrollTop && cursor.top < scrollTop + clientHeight;
    const block = isSeen ? cursor : view.lineBlockAtHeight(scrollTop);
    const line = this.lineBeside(side, view.state.doc.lineAt(block.from).number);
    if (line === null || line > other.state.doc.lines) return;
    const effects: StateEffect<unknown>[] = isSeen ? [markLine.of(line)] : [];
    const yMargin = isSeen ? cursor.top - scrollTop : 0;
    effects.push(EditorView.scrollIntoView(other.state.doc.line(line).from, { y: 'start', yMargin }));
    other.dispatch({ effects });
  }
}
