import Foundation
import MoviesApp

exit(await Program.main())
