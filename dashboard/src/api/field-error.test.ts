import { ApiError } from './api-error';
import { fieldErrors } from './field-error';

const refused = (message: string) =>
  new ApiError(message, { status: 400, type: 'invalid_request', requestId: 'req_1' });

describe('what the API refused', () => {
  it('is told at the field that it names, with the id of the request', () => {
    expect(fieldErrors(refused('Invalid name: must have 1 to 100 characters'), ['name', 'budgetUsd'])).toEqual({
      byField: { name: 'Must have 1 to 100 characters. (Request req_1)' },
      other: undefined,
    });
  });

  it('is told as a whole where it names none of the fields', () => {
    const texts = ['Invalid models: must be a list', 'Too many keys: at most 20 may be live at a time'];
    for (const error of [...texts.map(refused), new Error('Invalid name: of a script')]) {
      expect(fieldErrors(error, ['name'])).toEqual({ byField: {}, other: error });
    }
  });
});
