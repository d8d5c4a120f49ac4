// Whether a person uses the window, or it only sends requests by itself. Knows nothing of requests and sessions.

/** Milliseconds after an input during which requests count as the person's. */
const attentive = 60_000;

let touchedAt = Date.now();
const note = () => {
  touchedAt = Date.now();
};

for (const type of ['pointerdown', 'keydown', 'wheel', 'drop']) {
  window.addEventListener(type, note, { capture: true, passive: true });
}

export const isAttended = () => Date.now() - touchedAt < attentive;
