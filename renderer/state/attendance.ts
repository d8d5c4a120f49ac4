// Whether a person is before the window, or only the window itself asks. Knows nothing of requests and sessions.

/** Milliseconds after a touch during which what is asked is still the person's doing. */
const attentive = 60_000;

let touchedAt = Date.now();
const note = () => {
  touchedAt = Date.now();
};

for (const type of ['pointerdown', 'keydown', 'wheel', 'drop']) {
  window.addEventListener(type, note, { capture: true, passive: true });
}

export const isAttended = () => Date.now() - touchedAt < attentive;
