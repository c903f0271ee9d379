import type { CallListener } from '../../models/model';
import { ModelFault } from '../../models/model-fault';
import { newCallId } from '../../models/tools';

/** No reply calls more tools; a model that does is not at work any more. */
const CALLS_MAX = 128;
const NAME_CHARACTERS_MAX = 256;

/** A piece of a call as a protocol has it; what is missing is ''. */
export interface CalledPiece {
  /** Key by which the protocol tells the calls of a reply apart. */
  readonly key: unknown;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

interface Call {
  /** Undefined until the listener was told of it. */
  index: number | undefined;
  id: string;
  held: string;
  hasArguments: boolean;
}

/** Tells a listener of the tools that a model calls, whatever a server makes of indexes, ids and names. */
export class CalledTools {
  readonly #listener: CallListener;
  readonly #calls: Call[] = [];
  readonly #byKey = new Map<unknown, Call>();
  #told = 0;
  #heldCharacters = 0;

  constructor(listener: CallListener) {
    this.#listener = listener;
  }

  /** Takes the next piece. */
  take(piece: CalledPiece): Promise<void> | undefined {
    const { id, name } = piece;
    if (name.length > NAME_CHARACTERS_MAX) throw new ModelFault('protocol');
    const call = this.#callOf(piece);
    call.id ||= id;
    if (call.index !== undefined) return this.#goOn(call, call.index, piece.arguments);
    if (name === '') return this.#hold(call, piece.arguments);
    call.index = this.#told;
    this.#told += 1;
    const text = call.held + piece.arguments;
    this.#heldCharacters -= call.held.length;
    call.held = '';
    call.hasArguments = text !== '';
    const begins = { id: call.id || newCallId(), name };
    return this.#listener.toolCall({ index: call.index, begins, arguments: text });
  }

  /** The reply is whole. Clients parse the arguments: those of a call without any are an empty object. One without a name is none. */
  async end(): Promise<void> {
    for (const { index, hasArguments } of this.#calls) {
      if (index !== undefined && !hasArguments) await this.#listener.toolCall({ index, arguments: '{}' });
    }
  }

  #callOf({ key, id, name }: CalledPiece): Call {
    const known = key === undefined ? this.#calls.at(-1) : this.#byKey.get(key);
    const isAnother = name !== '' && (key === undefined || (id !== '' && known?.id !== '' && id !== known?.id));
    if (known && !isAnother) return known;
    if (this.#calls.length === CALLS_MAX) throw new ModelFault('protocol');
    const call: Call = { index: undefined, id: '', held: '', hasArguments: false };
    this.#calls.push(call);
    this.#byKey.set(key, call);
    return call;
  }

  #goOn(call: Call, index: number, text: string): Promise<void> | undefined {
    if (text === '') return undefined;
    call.hasArguments = true;
    return this.#listener.toolCall({ index, arguments: text });
  }

  #hold(call: Call, text: string): undefined {
    call.held += text;
    this.#heldCharacters += text.length;
    this.#listener.pending(this.#heldCharacters);
    return undefined;
  }
}
