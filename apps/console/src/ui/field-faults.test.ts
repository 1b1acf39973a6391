import { ApiError } from '../api/client.js';
import { faultsByInput, fieldFaults } from './field-faults.js';

const refused = (message: string) => new ApiError(422, 'validation_error', message);

describe('fieldFaults', () => {
  it('returns for each faulty field the reason as a sentence', () => {
    const error = refused(
      'The request has invalid values: name: is required; model: Unknown model "gpt-99". Available: a, b.',
    );
    expect(fieldFaults(error)).toEqual({ name: 'Required.', model: 'Unknown model "gpt-99". Available: a, b.' });
  });

  it('does not split a reason that contains a semicolon', () => {
    expect(fieldFaults(refused('The request has invalid values: url: must be https; not http.'))).toEqual({
      url: 'Must be https; not http.',
    });
  });

  it('returns no faults for an error that names no field or is not from the API', () => {
    expect(fieldFaults(refused('The resource does not exist.'))).toEqual({});
    expect(fieldFaults(new Error('The request has invalid values: name: is required.'))).toEqual({});
  });
});

describe('faultsByInput', () => {
  it('returns only the first fault within a list or an object, under the name of the list or object', () => {
    const error = refused(
      'The request has invalid values: mcp_tools.0: is no pattern; mcp_tools.1: is too long; headers.X-Key: is required.',
    );
    expect(faultsByInput(error)).toEqual({ mcp_tools: 'Is no pattern.', headers: 'Required.' });
  });
});
