import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** What is about to happen, to be read and agreed to before it does. */
export interface Question {
  /** `Cancel order SUMMER-1?` */
  title: string;
  /** What will happen, a sentence each, with the numbers. */
  text: readonly string[];
  /** What the button that does it is called. */
  yes: string;
  /** What the button that does not is called. */
  no?: string;
  /** It takes something away: its button looks like that. */
  isDangerous?: true;
}

interface Asked extends Question {
  /** Distinguishes one question from the next, which may come before the closed dialog is gone. */
  id: number;
  answer: (agreed: boolean) => void;
}

let questions = 0;
/** Shows a question on the page. */
let show: ((asked: Asked) => void) | undefined;

/** Asks in a dialog. False if the person does not agree, or closes it. */
export async function ask(question: Question): Promise<boolean> {
  return await new Promise((answer) => {
    if (show === undefined) answer(false);
    else show({ ...question, id: ++questions, answer });
  });
}

/** The place of the dialog: once on a page. */
export function AskDialog() {
  const [asked, setAsked] = useState<Asked>();
  useEffect(() => {
    show = setAsked;
    return () => {
      show = undefined;
    };
  }, []);
  if (asked === undefined) return null;
  return (
    <Dialog
      key={asked.id}
      question={asked}
      onClose={(agreed) => {
        setAsked((now) => (now === asked ? undefined : now));
        asked.answer(agreed);
      }}
    />
  );
}

function Dialog({
  question: { title, text, yes, no = 'Back', isDangerous },
  onClose,
}: {
  question: Question;
  onClose: (agreed: boolean) => void;
}) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const close = (answer: 'yes' | 'no') => dialog.current?.close(answer);
  return (
    <dialog
      ref={dialog}
      class="ask"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={({ currentTarget }) => onClose(currentTarget.returnValue === 'yes')}
      onClick={({ target, currentTarget }) => {
        // The content covers the whole dialog except its backdrop.
        if (target === currentTarget) close('no');
      }}
    >
      <div class="ask-inside">
        <h2 id={`${id}-title`}>{title}</h2>
        <div id={`${id}-text`} class="ask-text">
          {text.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
        <div class="form-end">
          <button type="button" class={isDangerous ? 'primary danger' : 'primary'} onClick={() => close('yes')}>
            {yes}
          </button>
          {/* What a hasty Enter presses. */}
          <button type="button" autoFocus onClick={() => close('no')}>
            {no}
          </button>
        </div>
      </div>
    </dialog>
  );
}
