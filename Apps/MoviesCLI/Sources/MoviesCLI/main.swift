import Foundation
import MoviesApp

exit(Program.main())
